extension Languages {
  static let hebrew = Wording<OneTwoOther>(
    tag: "he", name: "עברית", comma: ", ", colon: ": ", or: ". או: ",

    nonEmpty: "יש להזין ערך",
    notBlank: "יש להזין לפחות תו אחד שאינו רווח",
    chooseOption: "יש לבחור באחת האפשרויות",
    length: .init(
      exactly: .init(one: "יש להזין תו אחד בדיוק", two: "יש להזין שני תווים בדיוק", other: "יש להזין {n} תווים בדיוק"),
      atLeast: .init(one: "יש להזין לפחות תו אחד", two: "יש להזין לפחות שני תווים", other: "יש להזין לפחות {n} תווים"),
      atMost: .init(
        one: "יש להזין לכל היותר תו אחד", two: "יש להזין לכל היותר שני תווים", other: "יש להזין לכל היותר {n} תווים"),
      between: .init(
        one: "יש להזין בין {min} ל-{n} תווים", two: "יש להזין בין {min} ל-{n} תווים",
        other: "יש להזין בין {min} ל-{n} תווים")),
    pattern: "יש לשנות את הטקסט לתבנית המבוקשת",
    predicate: "יש להזין ערך אחר; הערך הזה לא התקבל",
    unchecked: "לא ניתן היה לבדוק זאת; יש לנסות שוב בעוד רגע",
    email: "יש להזין כתובת דוא״ל, למשל {example}",
    url: "יש להזין כתובת אינטרנט, למשל {example}",
    integer: "יש להזין מספר שלם, למשל {example}",
    number: "יש להזין מספר, למשל {example}",
    date: "יש להזין תאריך, למשל {example}",
    time: "יש להזין שעה, למשל {example}",
    dateTime: "יש להזין תאריך ושעה, למשל {example}",
    skippedTime: "השעון עובר אז ישירות מ-{from} ל-{to}: יש להזין שעה מוקדמת או מאוחרת יותר",
    otherOffset: "יש לכתוב את ההפרש {offset}, שנהוג באותה שעה, או להשמיט אותו",
    unknownZone: "אזור הזמן שלך אינו מוכר כאן: יש להזין את השעה עם ההפרש מ-UTC, למשל {example}",
    numberRange: .init(
      between: "יש להזין מספר מ-{min} עד {max}", atLeast: "יש להזין מספר שאינו קטן מ-{min}",
      atMost: "יש להזין מספר שאינו גדול מ-{max}"),
    dateRange: .init(
      between: "יש להזין תאריך מ-{min} עד {max}", atLeast: "יש להזין תאריך שאינו לפני {min}",
      atMost: "יש להזין תאריך שאינו אחרי {max}"),
    timeRange: .init(
      between: "יש להזין שעה מ-{min} עד {max}", atLeast: "יש להזין שעה שאינה לפני {min}",
      atMost: "יש להזין שעה שאינה אחרי {max}"),
    dateTimeRange: .init(
      between: "יש להזין תאריך ושעה מ-{min} עד {max}", atLeast: "יש להזין תאריך ושעה שאינם לפני {min}",
      atMost: "יש להזין תאריך ושעה שאינם אחרי {max}"),
    wholeNumber: "יש להזין מספר שלם",
    multiple: "יש להזין כפולה של {step}",
    multipleFrom: "יש להזין {from}, או מספר שההפרש ביניהם הוא כפולה של {step}",
    onlyValue: "יש להזין „{value}”",
    oneOfValues: "יש להזין אחד מהערכים האלה: {values}",
    acceptedValue: "יש להזין אחד מהערכים המותרים",
    count: .init(
      exactly: .init(
        one: "יש לבחור אפשרות אחת בדיוק", two: "יש לבחור שתי אפשרויות בדיוק", other: "יש לבחור {n} אפשרויות בדיוק"),
      atLeast: .init(
        one: "יש לבחור לפחות אפשרות אחת", two: "יש לבחור לפחות שתי אפשרויות", other: "יש לבחור לפחות {n} אפשרויות"),
      atMost: .init(
        one: "יש לבחור לכל היותר אפשרות אחת", two: "יש לבחור לכל היותר שתי אפשרויות",
        other: "יש לבחור לכל היותר {n} אפשרויות"),
      between: .init(
        one: "יש לבחור בין {min} ל-{n} אפשרויות", two: "יש לבחור בין {min} ל-{n} אפשרויות",
        other: "יש לבחור בין {min} ל-{n} אפשרויות")),
    sameAs: "יש להזין את אותו הטקסט כמו ב„{field}”",
    numberOrder: .init(
      less: "יש להזין מספר קטן מזה שב„{field}”",
      lessOrEqual: "יש להזין מספר שאינו גדול מזה שב„{field}”",
      greater: "יש להזין מספר גדול מזה שב„{field}”",
      greaterOrEqual: "יש להזין מספר שאינו קטן מזה שב„{field}”"),
    dateOrder: .init(
      less: "יש להזין תאריך מוקדם מזה שב„{field}”",
      lessOrEqual: "יש להזין תאריך שאינו מאוחר מזה שב„{field}”",
      greater: "יש להזין תאריך מאוחר מזה שב„{field}”",
      greaterOrEqual: "יש להזין תאריך שאינו מוקדם מזה שב„{field}”"),
    timeOrder: .init(
      less: "יש להזין שעה מוקדמת מזו שב„{field}”",
      lessOrEqual: "יש להזין שעה שאינה מאוחרת מזו שב„{field}”",
      greater: "יש להזין שעה מאוחרת מזו שב„{field}”",
      greaterOrEqual: "יש להזין שעה שאינה מוקדמת מזו שב„{field}”"),
    dateTimeOrder: .init(
      less: "יש להזין תאריך ושעה מוקדמים מאלה שב„{field}”",
      lessOrEqual: "יש להזין תאריך ושעה שאינם מאוחרים מאלה שב„{field}”",
      greater: "יש להזין תאריך ושעה מאוחרים מאלה שב„{field}”",
      greaterOrEqual: "יש להזין תאריך ושעה שאינם מוקדמים מאלה שב„{field}”"),
    not: "יש להזין ערך אחר; הערך הזה אינו מותר",
    text: "יש להסיר את תווי הבקרה מהטקסט",
    line: "יש לכתוב הכול בשורה אחת",
    boolean: "יש להשיב \u{2068}true\u{2069} או \u{2068}false\u{2069}",
    tooLong: .init(
      one: "יש לקצר את הטקסט בתו אחד", two: "יש לקצר את הטקסט בשני תווים", other: "יש לקצר את הטקסט ב-{n} תווים"),
    tooLongTogether: .init(
      one: "יש לקצר את כל התשובות יחד בתו אחד", two: "יש לקצר את כל התשובות יחד בשני תווים",
      other: "יש לקצר את כל התשובות יחד ב-{n} תווים"),

    quote: "„{value}”",
    lastOr: " או ",
    onlyIf: "רק אם „{field}” הוא {values}",
    onlyIfChosen: "רק אם נבחר {values} ב„{field}”",
    onlyIfOn: "רק אם „{field}” מופעל",
    onlyIfOff: "רק אם „{field}” כבוי",
    came: "נדרש כעת גם: {fields}",
    went: "לא נדרש עוד: {fields}",

    problems: .init(one: "בעיה אחת.", two: "שתי בעיות.", other: "{n} בעיות."),
    page: PageWords(
      ok: "אישור", cancel: "ביטול", optional: "רשות", choose: "בחירה…", none: "ללא תשובה",
      show: "הצגה", hide: "הסתרה", showField: "הצגה: {field}", hideField: "הסתרה: {field}",
      timeZone: "אזור זמן: {zone}",
      checking: "מתבצעת בדיקה…",
      refused: "יש להזין ערך אחר",
      unreachable: "אין גישה לשרת; יש לנסות שוב",
      failed: "התשובה לא התקבלה; יש לנסות שוב בעוד רגע",
      error: "שגיאה:", problem: "יש בעיה", languages: "שפה",
      close: "אפשר לסגור את הדף הזה.", again: "פתיחה מחדש",
      accepted: .init(heading: "תודה", sentence: "התשובה התקבלה."),
      cancelled: .init(heading: "בוטל", sentence: "לא נשלחה תשובה."),
      done: .init(heading: "בוצע", sentence: "הבחירה התקבלה."),
      expired: .init(heading: "מאוחר מדי", sentence: "הזמן למתן תשובה הסתיים."),
      withdrawn: .init(heading: "כבר אין צורך", sentence: "השאלה בוטלה."),
      answered: .init(heading: "כבר נענתה", sentence: "לשאלה הזאת כבר יש תשובה."),
      notFound: .init(
        heading: "לא נמצא",
        sentence: "אין שאלה בכתובת הזאת. כדאי לבדוק את הקישור או לבקש קישור חדש."),
      notPossible: .init(heading: "לא אפשרי כאן", sentence: "יש לפתוח את הקישור פעם נוספת."),
      tooLarge: .init(
        heading: "ארוך מדי",
        sentence: "נשלח יותר ממה שאפשר לקרוא. יש לחזור, לקצר ולשלוח שוב."),
      serverFault: .init(
        heading: "משהו השתבש כאן",
        sentence: "יש לנסות שוב בעוד רגע. אם זה נמשך, כדאי להודיע למי ששלח את הקישור."),
      prompts: "שאלות", noPrompts: "עדיין אין שאלות."))
}
