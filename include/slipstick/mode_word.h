#pragma once

/// What contacts do: the mode of one contact, and a word of modes, one per contact.
///
/// A word is a small value without heap. Its contacts are numbered like the list it belongs to,
/// mostly the model's contacts.
///
///     ModeWord word(2);                    // two contacts, both free
///     word.set(1, make_slip_mode(-0.3));   // the second one slips along -t
///     is_sliding(word[1]);                 // true
///     eval_slip_sign(word[1]);             // -1
///     word > ModeWord(2);                  // true: words sort like lists of modes
///     std::count(word.begin(), word.end(), ContactMode::kFree);  // 1
///
/// As text a word has a letter per contact: mode_letters.h.

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>

namespace slipstick {

/// In the order in which lists of words are sorted: that of the letters F, N, P, S.
enum class ContactMode : std::uint8_t {
  kFree,       ///< open, or without a force
  kSlipMinus,  ///< slips along -t
  kSlipPlus,   ///< slips along +t
  kStick,      ///< closed, without slip
};

/// True unless the contact is free.
[[nodiscard]] constexpr bool is_closed(ContactMode mode) { return mode != ContactMode::kFree; }
/// True if it slips either way.
[[nodiscard]] constexpr bool is_sliding(ContactMode mode) {
  return mode == ContactMode::kSlipPlus || mode == ContactMode::kSlipMinus;
}

/// The mode of a closed contact by its slip, or the sign of that.
[[nodiscard]] constexpr ContactMode make_slip_mode(double slip) {
  if (slip == 0.0) return ContactMode::kStick;
  return slip > 0.0 ? ContactMode::kSlipPlus : ContactMode::kSlipMinus;
}
/// The sign of the slip in a mode; 0 for a contact that sticks or is free.
[[nodiscard]] constexpr int eval_slip_sign(ContactMode mode) {
  return (mode == ContactMode::kSlipPlus ? 1 : 0) - (mode == ContactMode::kSlipMinus ? 1 : 0);
}

/// The modes of up to 64 contacts.
class ModeWord {
 public:
  static constexpr std::size_t kMost = 64;  ///< contacts

  /// Of no contacts.
  constexpr ModeWord() = default;
  /// All contacts are free.
  explicit constexpr ModeWord(std::size_t size) : size_(size) {
    if (size > kMost) throw std::length_error("ModeWord: expected at most 64 contacts");
  }

  /// How many contacts it has.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  /// The mode of a contact. Throws std::out_of_range if there is none.
  [[nodiscard]] constexpr ContactMode operator[](std::size_t contact) const {
    expect(contact);
    return static_cast<ContactMode>(parts_[contact / kPerPart] >> shift(contact) & kMask);
  }
  /// Changes the mode of a contact. Throws std::out_of_range if there is none.
  constexpr void set(std::size_t contact, ContactMode mode) {
    expect(contact);
    std::uint64_t& part = parts_[contact / kPerPart];
    part &= ~(kMask << shift(contact));
    part |= static_cast<std::uint64_t>(mode) << shift(contact);
  }

  /// Like lists of modes: the first contact that differs decides, a shorter word comes first.
  [[nodiscard]] friend constexpr bool operator==(const ModeWord&, const ModeWord&) = default;
  /// As operator==.
  [[nodiscard]] friend constexpr auto operator<=>(const ModeWord&, const ModeWord&) = default;

  /// Goes over the contacts.
  class Iterator {
   public:
    /// @cond
    // NOLINTBEGIN(readability-identifier-naming): the standard's names
    using iterator_category = std::input_iterator_tag;
    using value_type = ContactMode;
    using difference_type = std::ptrdiff_t;
    using pointer = const ContactMode*;
    using reference = ContactMode;
    // NOLINTEND(readability-identifier-naming)

    constexpr Iterator(const ModeWord& word, std::size_t contact)
        : word_(&word), contact_(contact) {}
    [[nodiscard]] constexpr ContactMode operator*() const { return (*word_)[contact_]; }
    constexpr Iterator& operator++() {
      ++contact_;
      return *this;
    }
    constexpr Iterator operator++(int) {
      Iterator before = *this;
      ++contact_;
      return before;
    }
    [[nodiscard]] friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

    /// @endcond

   private:
    const ModeWord* word_;
    std::size_t contact_;
  };
  /// At the first contact.
  [[nodiscard]] constexpr Iterator begin() const { return {*this, 0}; }
  /// Behind the last one.
  [[nodiscard]] constexpr Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kBits = 2;  // per contact
  static constexpr std::size_t kPerPart = 64 / kBits;
  static constexpr std::uint64_t kMask = (1U << kBits) - 1;

  /// The first contact has the highest bits, so that parts compare like lists.
  static constexpr std::size_t shift(std::size_t contact) {
    return kBits * (kPerPart - 1 - contact % kPerPart);
  }
  constexpr void expect(std::size_t contact) const {
    if (contact >= size_) throw std::out_of_range("ModeWord: expected a contact of the word");
  }

  // Compared in this order; unused bits are zero.
  std::array<std::uint64_t, kMost / kPerPart> parts_{};
  std::size_t size_ = 0;
};

/// The same contacts are closed, whatever they do.
[[nodiscard]] inline bool closes_same(const ModeWord& a, const ModeWord& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](ContactMode x, ContactMode y) { return is_closed(x) == is_closed(y); });
}

}  // namespace slipstick
