extension Languages {
  static let english = Wording<OneOther>(
    tag: "en", name: "English", comma: ", ", colon: ": ", or: ". Or: ",

    nonEmpty: "Enter a value",
    notBlank: "Enter at least one character that is not a space",
    chooseOption: "Choose one of the options",
    length: .init(
      exactly: .init(one: "Enter exactly {n} character", other: "Enter exactly {n} characters"),
      atLeast: .init(one: "Enter at least {n} character", other: "Enter at least {n} characters"),
      atMost: .init(one: "Enter at most {n} character", other: "Enter at most {n} characters"),
      between: .init(one: "Enter {min} to {n} character", other: "Enter {min} to {n} characters")),
    pattern: "Change this to the format asked for",
    predicate: "Enter another value; this one was not accepted",
    unchecked: "This could not be checked; try again in a moment",
    email: "Enter an email address, like {example}",
    url: "Enter a web address, like {example}",
    integer: "Enter a whole number, like {example}",
    number: "Enter a number, like {example}",
    date: "Enter a date, like {example}",
    time: "Enter a time, like {example}",
    dateTime: "Enter a date and time, like {example}",
    numberRange: .init(
      between: "Enter a number from {min} to {max}", atLeast: "Enter a number of at least {min}",
      atMost: "Enter a number of at most {max}"),
    dateRange: .init(
      between: "Enter a date from {min} to {max}", atLeast: "Enter a date not before {min}",
      atMost: "Enter a date not after {max}"),
    timeRange: .init(
      between: "Enter a time from {min} to {max}", atLeast: "Enter a time not before {min}",
      atMost: "Enter a time not after {max}"),
    dateTimeRange: .init(
      between: "Enter a date and time from {min} to {max}", atLeast: "Enter a date and time not before {min}",
      atMost: "Enter a date and time not after {max}"),
    wholeNumber: "Enter a whole number",
    multiple: "Enter a multiple of {step}",
    multipleFrom: "Enter {from}, or that plus or minus a multiple of {step}",
    onlyValue: "Enter “{value}”",
    oneOfValues: "Enter one of: {values}",
    acceptedValue: "Enter one of the accepted values",
    count: .init(
      exactly: .init(one: "Choose exactly {n} option", other: "Choose exactly {n} options"),
      atLeast: .init(one: "Choose at least {n} option", other: "Choose at least {n} options"),
      atMost: .init(one: "Choose at most {n} option", other: "Choose at most {n} options"),
      between: .init(one: "Choose {min} to {n} option", other: "Choose {min} to {n} options")),
    sameAs: "Enter the same as in “{field}”",
    numberOrder: .init(
      less: "Enter a number less than the one in “{field}”",
      lessOrEqual: "Enter a number of at most the one in “{field}”",
      greater: "Enter a number greater than the one in “{field}”",
      greaterOrEqual: "Enter a number of at least the one in “{field}”"),
    dateOrder: .init(
      less: "Enter a date before the one in “{field}”",
      lessOrEqual: "Enter a date not after the one in “{field}”",
      greater: "Enter a date after the one in “{field}”",
      greaterOrEqual: "Enter a date not before the one in “{field}”"),
    timeOrder: .init(
      less: "Enter a time before the one in “{field}”",
      lessOrEqual: "Enter a time not after the one in “{field}”",
      greater: "Enter a time after the one in “{field}”",
      greaterOrEqual: "Enter a time not before the one in “{field}”"),
    dateTimeOrder: .init(
      less: "Enter a date and time before the one in “{field}”",
      lessOrEqual: "Enter a date and time not after the one in “{field}”",
      greater: "Enter a date and time after the one in “{field}”",
      greaterOrEqual: "Enter a date and time not before the one in “{field}”"),
    not: "Enter another value; this one is not allowed",
    text: "Remove the control characters from this text",
    line: "Write this on one line",
    boolean: "Answer true or false",
    tooLong: .init(one: "Shorten this by {n} character", other: "Shorten this by {n} characters"),
    tooLongTogether: .init(
      one: "Shorten your answers by {n} character in all", other: "Shorten your answers by {n} characters in all"),

    quote: "“{value}”",
    lastOr: " or ",
    onlyIf: "Only if “{field}” is {values}",
    onlyIfChosen: "Only if {values} is chosen in “{field}”",
    onlyIfOn: "Only if “{field}” is on",
    onlyIfOff: "Only if “{field}” is off",
    came: "Also asked now: {fields}",
    went: "No longer asked: {fields}",

    problems: .init(one: "{n} problem.", other: "{n} problems."),
    page: PageWords(
      ok: "OK", cancel: "Cancel", optional: "optional", choose: "Choose…", none: "None",
      show: "Show", hide: "Hide", showField: "Show {field}", hideField: "Hide {field}",
      checking: "Checking…",
      refused: "Enter another value",
      unreachable: "The server cannot be reached; try again",
      failed: "Your answer was not accepted; try again in a moment",
      error: "Error:", problem: "There is a problem", languages: "Language",
      close: "You can close this page.", again: "Open it again",
      accepted: .init(heading: "Thank you", sentence: "The answer was accepted."),
      cancelled: .init(heading: "Cancelled", sentence: "Nothing was answered."),
      done: .init(heading: "Done", sentence: "The choice was received."),
      expired: .init(heading: "Too late", sentence: "The time to answer is over."),
      withdrawn: .init(heading: "No longer needed", sentence: "The question was taken back."),
      answered: .init(heading: "Already answered", sentence: "This question has its answer."),
      notFound: .init(
        heading: "Not found",
        sentence: "There is no question at this address. Check the link, or ask for a new one."),
      notPossible: .init(heading: "Not possible here", sentence: "Open the link once more."),
      tooLarge: .init(
        heading: "Too large",
        sentence: "More was sent than can be read. Go back, shorten it and send it again."),
      serverFault: .init(
        heading: "Something went wrong here",
        sentence: "Try again in a moment. If this stays, tell whoever sent you the link."),
      prompts: "Prompts", noPrompts: "There are no prompts yet."))
}
