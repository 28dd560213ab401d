extension Languages {
  static let arabic = Wording<ZeroToOther>(
    tag: "ar", name: "العربية", comma: "، ", colon: ": ", or: ". أو: ",

    nonEmpty: "أدخل قيمة",
    notBlank: "أدخل حرفًا واحدًا على الأقل غير المسافة",
    chooseOption: "اختر أحد الخيارات",
    length: .init(
      exactly: .init(
        zero: "اترك الحقل دون أحرف", one: "أدخل حرفًا واحدًا بالضبط", two: "أدخل حرفين بالضبط",
        few: "أدخل {n} أحرف بالضبط", many: "أدخل {n} حرفًا بالضبط", other: "أدخل {n} حرف بالضبط"),
      atLeast: .init(
        zero: "أدخل أي عدد من الأحرف", one: "أدخل حرفًا واحدًا على الأقل", two: "أدخل حرفين على الأقل",
        few: "أدخل {n} أحرف على الأقل", many: "أدخل {n} حرفًا على الأقل", other: "أدخل {n} حرف على الأقل"),
      atMost: .init(
        zero: "اترك الحقل دون أحرف", one: "أدخل حرفًا واحدًا على الأكثر", two: "أدخل حرفين على الأكثر",
        few: "أدخل {n} أحرف على الأكثر", many: "أدخل {n} حرفًا على الأكثر", other: "أدخل {n} حرف على الأكثر"),
      between: .init(
        zero: "أدخل من {min} إلى {n} حرف", one: "أدخل من {min} إلى {n} حرف", two: "أدخل من {min} إلى {n} حرف",
        few: "أدخل من {min} إلى {n} أحرف", many: "أدخل من {min} إلى {n} حرفًا", other: "أدخل من {min} إلى {n} حرف")),
    pattern: "غيّر النص إلى الصيغة المطلوبة",
    predicate: "أدخل قيمة أخرى؛ لم تُقبل هذه القيمة",
    unchecked: "تعذّر التحقق من ذلك؛ حاول مرة أخرى بعد قليل",
    email: "أدخل عنوان بريد إلكتروني، مثل {example}",
    url: "أدخل عنوان موقع ويب، مثل {example}",
    integer: "أدخل عددًا صحيحًا، مثل {example}",
    number: "أدخل عددًا، مثل {example}",
    date: "أدخل تاريخًا، مثل {example}",
    time: "أدخل وقتًا، مثل {example}",
    dateTime: "أدخل تاريخًا ووقتًا، مثل {example}",
    skippedTime: "تنتقل الساعة حينها من {from} إلى {to} مباشرة: أدخل وقتًا أسبق أو لاحقًا",
    otherOffset: "اكتب فارق التوقيت {offset} المعمول به في ذلك الوقت، أو احذفه",
    unknownZone: "منطقتك الزمنية غير معروفة هنا: أدخل الوقت مع فارقه عن UTC، مثل {example}",
    numberRange: .init(
      between: "أدخل عددًا من {min} إلى {max}", atLeast: "أدخل عددًا لا يقل عن {min}",
      atMost: "أدخل عددًا لا يزيد على {max}"),
    dateRange: .init(
      between: "أدخل تاريخًا من {min} إلى {max}", atLeast: "أدخل تاريخًا ليس قبل {min}",
      atMost: "أدخل تاريخًا ليس بعد {max}"),
    timeRange: .init(
      between: "أدخل وقتًا من {min} إلى {max}", atLeast: "أدخل وقتًا ليس قبل {min}",
      atMost: "أدخل وقتًا ليس بعد {max}"),
    dateTimeRange: .init(
      between: "أدخل تاريخًا ووقتًا من {min} إلى {max}", atLeast: "أدخل تاريخًا ووقتًا ليس قبل {min}",
      atMost: "أدخل تاريخًا ووقتًا ليس بعد {max}"),
    wholeNumber: "أدخل عددًا صحيحًا",
    multiple: "أدخل أحد مضاعفات {step}",
    multipleFrom: "أدخل {from}، أو عددًا يزيد عليه أو ينقص عنه بأحد مضاعفات {step}",
    onlyValue: "أدخل «{value}»",
    oneOfValues: "أدخل إحدى هذه القيم: {values}",
    acceptedValue: "أدخل إحدى القيم المقبولة",
    count: .init(
      exactly: .init(
        zero: "لا تختر أي خيار", one: "اختر خيارًا واحدًا بالضبط", two: "اختر خيارين بالضبط",
        few: "اختر {n} خيارات بالضبط", many: "اختر {n} خيارًا بالضبط", other: "اختر {n} خيار بالضبط"),
      atLeast: .init(
        zero: "اختر أي عدد من الخيارات", one: "اختر خيارًا واحدًا على الأقل", two: "اختر خيارين على الأقل",
        few: "اختر {n} خيارات على الأقل", many: "اختر {n} خيارًا على الأقل", other: "اختر {n} خيار على الأقل"),
      atMost: .init(
        zero: "لا تختر أي خيار", one: "اختر خيارًا واحدًا على الأكثر", two: "اختر خيارين على الأكثر",
        few: "اختر {n} خيارات على الأكثر", many: "اختر {n} خيارًا على الأكثر", other: "اختر {n} خيار على الأكثر"),
      between: .init(
        zero: "اختر من {min} إلى {n} خيار", one: "اختر من {min} إلى {n} خيار", two: "اختر من {min} إلى {n} خيار",
        few: "اختر من {min} إلى {n} خيارات", many: "اختر من {min} إلى {n} خيارًا", other: "اختر من {min} إلى {n} خيار")),
    sameAs: "أدخل النص نفسه الموجود في «{field}»",
    numberOrder: .init(
      less: "أدخل عددًا أصغر من العدد في «{field}»",
      lessOrEqual: "أدخل عددًا لا يزيد على العدد في «{field}»",
      greater: "أدخل عددًا أكبر من العدد في «{field}»",
      greaterOrEqual: "أدخل عددًا لا يقل عن العدد في «{field}»"),
    dateOrder: .init(
      less: "أدخل تاريخًا قبل التاريخ في «{field}»",
      lessOrEqual: "أدخل تاريخًا ليس بعد التاريخ في «{field}»",
      greater: "أدخل تاريخًا بعد التاريخ في «{field}»",
      greaterOrEqual: "أدخل تاريخًا ليس قبل التاريخ في «{field}»"),
    timeOrder: .init(
      less: "أدخل وقتًا قبل الوقت في «{field}»",
      lessOrEqual: "أدخل وقتًا ليس بعد الوقت في «{field}»",
      greater: "أدخل وقتًا بعد الوقت في «{field}»",
      greaterOrEqual: "أدخل وقتًا ليس قبل الوقت في «{field}»"),
    dateTimeOrder: .init(
      less: "أدخل تاريخًا ووقتًا قبل ما في «{field}»",
      lessOrEqual: "أدخل تاريخًا ووقتًا ليس بعد ما في «{field}»",
      greater: "أدخل تاريخًا ووقتًا بعد ما في «{field}»",
      greaterOrEqual: "أدخل تاريخًا ووقتًا ليس قبل ما في «{field}»"),
    not: "أدخل قيمة أخرى؛ هذه القيمة غير مسموح بها",
    text: "احذف أحرف التحكم من هذا النص",
    line: "اكتب هذا في سطر واحد",
    boolean: "أجب بكلمة \u{2068}true\u{2069} أو \u{2068}false\u{2069}",
    tooLong: .init(
      zero: "لا حاجة إلى تقصير هذا النص", one: "قصّر هذا النص بمقدار حرف واحد", two: "قصّر هذا النص بمقدار حرفين",
      few: "قصّر هذا النص بمقدار {n} أحرف", many: "قصّر هذا النص بمقدار {n} حرفًا",
      other: "قصّر هذا النص بمقدار {n} حرف"),
    tooLongTogether: .init(
      zero: "لا حاجة إلى تقصير إجاباتك", one: "قصّر إجاباتك معًا بمقدار حرف واحد",
      two: "قصّر إجاباتك معًا بمقدار حرفين", few: "قصّر إجاباتك معًا بمقدار {n} أحرف",
      many: "قصّر إجاباتك معًا بمقدار {n} حرفًا", other: "قصّر إجاباتك معًا بمقدار {n} حرف"),

    quote: "«{value}»",
    lastOr: " أو ",
    onlyIf: "فقط إذا كان «{field}» هو {values}",
    onlyIfChosen: "فقط إذا تم اختيار {values} في «{field}»",
    onlyIfOn: "فقط إذا كان «{field}» مفعّلًا",
    onlyIfOff: "فقط إذا كان «{field}» غير مفعّل",
    came: "مطلوب الآن أيضًا: {fields}",
    went: "لم يعد مطلوبًا: {fields}",

    problems: .init(
      zero: "لا توجد مشكلات.", one: "مشكلة واحدة.", two: "مشكلتان.", few: "{n} مشكلات.", many: "{n} مشكلة.",
      other: "{n} مشكلة."),
    page: PageWords(
      ok: "موافق", cancel: "إلغاء", optional: "اختياري", choose: "اختر…", none: "دون إجابة",
      show: "إظهار", hide: "إخفاء", showField: "إظهار {field}", hideField: "إخفاء {field}",
      timeZone: "المنطقة الزمنية: {zone}",
      checking: "جارٍ التحقق…",
      refused: "أدخل قيمة أخرى",
      unreachable: "تعذّر الوصول إلى الخادم؛ حاول مرة أخرى",
      failed: "لم تُقبل إجابتك؛ حاول مرة أخرى بعد قليل",
      error: "خطأ:", problem: "توجد مشكلة", languages: "اللغة",
      close: "يمكنك إغلاق هذه الصفحة.", again: "فتح مرة أخرى",
      accepted: .init(heading: "شكرًا لك", sentence: "تم قبول الإجابة."),
      cancelled: .init(heading: "تم الإلغاء", sentence: "لم تُرسل أي إجابة."),
      done: .init(heading: "تم", sentence: "وصل اختيارك."),
      expired: .init(heading: "فات الأوان", sentence: "انتهى وقت الإجابة."),
      withdrawn: .init(heading: "لم تعد هناك حاجة", sentence: "تم سحب السؤال."),
      answered: .init(heading: "تمت الإجابة من قبل", sentence: "لهذا السؤال إجابة بالفعل."),
      notFound: .init(
        heading: "غير موجود",
        sentence: "لا يوجد سؤال في هذا العنوان. تحقق من الرابط، أو اطلب رابطًا جديدًا."),
      notPossible: .init(heading: "غير ممكن هنا", sentence: "افتح الرابط مرة أخرى."),
      tooLarge: .init(
        heading: "طويل جدًا",
        sentence: "أُرسل أكثر مما يمكن قراءته. ارجع واختصر النص ثم أرسله مرة أخرى."),
      serverFault: .init(
        heading: "حدث خطأ هنا",
        sentence: "حاول مرة أخرى بعد قليل. إذا استمرت المشكلة فأخبر من أرسل إليك الرابط."),
      prompts: "الأسئلة", noPrompts: "لا توجد أسئلة بعد."))
}
