#pragma once

/// Calls of the program, and named values in the documents that they give.

#include <map>
#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/model/table_reader.h"

namespace slipstick {

/// What became of a call: its document, or why there is none.
// NOLINTNEXTLINE(bugprone-exception-escape): a document is moved without throwing
struct CallAnswer {
  Json document;
  std::string failure;
};
/// Call, without the program's name -> its answer.
using CallAnswers = std::map<std::string, CallAnswer>;

struct CallValues {
  std::vector<std::string> runs;            ///< calls, without the program's name
  std::map<std::string, std::string> from;  ///< names of values: places in the documents
  std::string place;                        ///< "file:line", for messages
};

/// Reads the keys `run` and, if present, `from`. Throws InputError if they are of another type, a
/// call does more than answer, or a place is none.
[[nodiscard]] CallValues read_call_values(const TableReader& table);

/// The same calls with the inputs' values for {NAME}. Throws InputError if a name is not an
/// input's.
[[nodiscard]] CallValues fill_in(const CallValues& values,
                                 const std::map<std::string, double>& inputs);

/// Sorted, as the values of an expression are.
[[nodiscard]] std::vector<std::string> list_names(const CallValues& values);

/// True for "/POINTER" and "N:/POINTER"; no expression looks like these.
[[nodiscard]] bool is_place(const std::string& text);
/// Throws InputError if the text is not a place in the documents of these calls.
void check_place(const std::string& where, const CallValues& values, const std::string& text);

/// Throws InputError if one of the calls failed.
void check_answers(const CallValues& values, const CallAnswers& answers);

/// The value at "/POINTER" of the first call or "N:/POINTER" of a later one; with "/#" at the end
/// how many entries are there, with "/*" on the way a list of what each entry has. Throws
/// InputError if there is none.
[[nodiscard]] Json find_value(const CallValues& values, const CallAnswers& answers,
                              const std::string& text);

/// For the reader of a document: the calls as they are typed.
[[nodiscard]] Json make_calls(const CallValues& values);

}  // namespace slipstick
