/// Days of the Gregorian calendar, counted since 1970-01-01.
package enum Day {
  /// - Parameters:
  ///   - month: 1 to 12, or 13 for the next January.
  ///   - day: from 1; beyond the month's last it is one of the next month.
  package static func number(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that a leap day is the last of its year.
    let year = month > 2 ? year : year - 1
    let era = floor(year, 400), yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = floor(shifted, 146_097), dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The day of the week, 0 for Sunday.
  static func weekday(of number: Int) -> Int { ((number + 4) % 7 + 7) % 7 }

  /// Division towards minus infinity.
  package static func floor(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }
}
