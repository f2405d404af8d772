#pragma once

/// Calls of the program, and named values in the documents that they return.

#include <map>
#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/model/table_reader.h"

namespace slipstick {

/// The result of a call: its document, or why there is none.
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
/// call does more than answer, or a place is not valid.
[[nodiscard]] CallValues read_call_values(const TableReader& table);

/// The same calls, with the inputs' values in place of {NAME}. Throws InputError if a name is not
/// an input's.
[[nodiscard]] CallValues fill_in(const CallValues& values,
                                 const std::map<std::string, double>& inputs);

/// Sorted; an expression takes its values in this order.
[[nodiscard]] std::vector<std::string> list_names(const CallValues& values);

/// True for "/POINTER" and "N:/POINTER"; no expression looks like these.
[[nodiscard]] bool is_place(const std::string& text);
/// Throws InputError if the text is not a place in the documents of these calls.
void check_place(const std::string& where, const CallValues& values, const std::string& text);

/// Throws InputError if one of the calls failed.
void check_answers(const CallValues& values, const CallAnswers& answers);

/// The value at "/POINTER" of the first call or "N:/POINTER" of a later one. With "/#" at the end:
/// the number of entries there. With "/*" in it: a list of the values in every entry. Throws
/// InputError if there is no such value.
[[nodiscard]] Json find_value(const CallValues& values, const CallAnswers& answers,
                              const std::string& text);

/// The calls as a person types them, for readers of a document.
[[nodiscard]] Json make_calls(const CallValues& values);

}  // namespace slipstick
