extension Languages {
  static let hindi = Wording<NoneOrOneOther>(
    tag: "hi", name: "हिन्दी", comma: ", ", colon: ": ", or: "। या: ",

    nonEmpty: "कोई मान दर्ज करें",
    notBlank: "कम से कम एक ऐसा अक्षर दर्ज करें जो खाली जगह न हो",
    chooseOption: "विकल्पों में से एक चुनें",
    length: .init(
      exactly: .init(one: "ठीक {n} अक्षर दर्ज करें", other: "ठीक {n} अक्षर दर्ज करें"),
      atLeast: .init(one: "कम से कम {n} अक्षर दर्ज करें", other: "कम से कम {n} अक्षर दर्ज करें"),
      atMost: .init(one: "ज़्यादा से ज़्यादा {n} अक्षर दर्ज करें", other: "ज़्यादा से ज़्यादा {n} अक्षर दर्ज करें"),
      between: .init(one: "{min} से {n} अक्षर दर्ज करें", other: "{min} से {n} अक्षर दर्ज करें")),
    pattern: "इसे माँगे गए प्रारूप में बदलें",
    predicate: "कोई दूसरा मान दर्ज करें; यह स्वीकार नहीं किया गया",
    unchecked: "इसकी जाँच नहीं हो सकी; थोड़ी देर में फिर कोशिश करें",
    email: "कोई ईमेल पता दर्ज करें, जैसे {example}",
    url: "कोई वेब पता दर्ज करें, जैसे {example}",
    integer: "कोई पूर्ण संख्या दर्ज करें, जैसे {example}",
    number: "कोई संख्या दर्ज करें, जैसे {example}",
    date: "कोई तारीख दर्ज करें, जैसे {example}",
    time: "कोई समय दर्ज करें, जैसे {example}",
    dateTime: "कोई तारीख और समय दर्ज करें, जैसे {example}",
    numberRange: .init(
      between: "{min} से {max} तक की कोई संख्या दर्ज करें", atLeast: "{min} या उससे बड़ी कोई संख्या दर्ज करें",
      atMost: "{max} या उससे छोटी कोई संख्या दर्ज करें"),
    dateRange: .init(
      between: "{min} से {max} तक की कोई तारीख दर्ज करें", atLeast: "{min} या उसके बाद की कोई तारीख दर्ज करें",
      atMost: "{max} या उससे पहले की कोई तारीख दर्ज करें"),
    timeRange: .init(
      between: "{min} से {max} तक का कोई समय दर्ज करें", atLeast: "{min} या उसके बाद का कोई समय दर्ज करें",
      atMost: "{max} या उससे पहले का कोई समय दर्ज करें"),
    dateTimeRange: .init(
      between: "{min} से {max} तक की कोई तारीख और समय दर्ज करें",
      atLeast: "{min} या उसके बाद की कोई तारीख और समय दर्ज करें",
      atMost: "{max} या उससे पहले की कोई तारीख और समय दर्ज करें"),
    wholeNumber: "कोई पूर्ण संख्या दर्ज करें",
    multiple: "{step} का कोई गुणज दर्ज करें",
    multipleFrom: "{from} दर्ज करें, या ऐसी संख्या जो उससे {step} के किसी गुणज जितनी कम या ज़्यादा हो",
    onlyValue: "“{value}” दर्ज करें",
    oneOfValues: "इनमें से एक दर्ज करें: {values}",
    acceptedValue: "स्वीकृत मानों में से एक दर्ज करें",
    count: .init(
      exactly: .init(one: "ठीक {n} विकल्प चुनें", other: "ठीक {n} विकल्प चुनें"),
      atLeast: .init(one: "कम से कम {n} विकल्प चुनें", other: "कम से कम {n} विकल्प चुनें"),
      atMost: .init(one: "ज़्यादा से ज़्यादा {n} विकल्प चुनें", other: "ज़्यादा से ज़्यादा {n} विकल्प चुनें"),
      between: .init(one: "{min} से {n} विकल्प चुनें", other: "{min} से {n} विकल्प चुनें")),
    sameAs: "वही दर्ज करें जो “{field}” में है",
    numberOrder: .init(
      less: "“{field}” की संख्या से छोटी कोई संख्या दर्ज करें",
      lessOrEqual: "ऐसी संख्या दर्ज करें जो “{field}” की संख्या से बड़ी न हो",
      greater: "“{field}” की संख्या से बड़ी कोई संख्या दर्ज करें",
      greaterOrEqual: "ऐसी संख्या दर्ज करें जो “{field}” की संख्या से छोटी न हो"),
    dateOrder: .init(
      less: "“{field}” की तारीख से पहले की कोई तारीख दर्ज करें",
      lessOrEqual: "ऐसी तारीख दर्ज करें जो “{field}” की तारीख के बाद की न हो",
      greater: "“{field}” की तारीख के बाद की कोई तारीख दर्ज करें",
      greaterOrEqual: "ऐसी तारीख दर्ज करें जो “{field}” की तारीख से पहले की न हो"),
    timeOrder: .init(
      less: "“{field}” के समय से पहले का कोई समय दर्ज करें",
      lessOrEqual: "ऐसा समय दर्ज करें जो “{field}” के समय के बाद का न हो",
      greater: "“{field}” के समय के बाद का कोई समय दर्ज करें",
      greaterOrEqual: "ऐसा समय दर्ज करें जो “{field}” के समय से पहले का न हो"),
    dateTimeOrder: .init(
      less: "“{field}” से पहले की कोई तारीख और समय दर्ज करें",
      lessOrEqual: "ऐसी तारीख और समय दर्ज करें जो “{field}” के बाद के न हों",
      greater: "“{field}” के बाद की कोई तारीख और समय दर्ज करें",
      greaterOrEqual: "ऐसी तारीख और समय दर्ज करें जो “{field}” से पहले के न हों"),
    not: "कोई दूसरा मान दर्ज करें; इसकी अनुमति नहीं है",
    text: "इस पाठ से नियंत्रण वर्ण हटाएँ",
    line: "इसे एक ही पंक्ति में लिखें",
    boolean: "true या false में जवाब दें",
    tooLong: .init(one: "इसे {n} अक्षर छोटा करें", other: "इसे {n} अक्षर छोटा करें"),
    tooLongTogether: .init(
      one: "अपने जवाबों को कुल मिलाकर {n} अक्षर छोटा करें", other: "अपने जवाबों को कुल मिलाकर {n} अक्षर छोटा करें"),

    quote: "“{value}”",
    lastOr: " या ",
    onlyIf: "केवल तब जब “{field}” में {values} हो",
    onlyIfChosen: "केवल तब जब “{field}” में {values} चुना गया हो",
    onlyIfOn: "केवल तब जब “{field}” चालू हो",
    onlyIfOff: "केवल तब जब “{field}” बंद हो",
    came: "अब यह भी पूछा जा रहा है: {fields}",
    went: "अब यह नहीं पूछा जा रहा: {fields}",

    problems: .init(one: "{n} समस्या।", other: "{n} समस्याएँ।"),
    page: PageWords(
      ok: "ठीक है", cancel: "रद्द करें", optional: "वैकल्पिक", choose: "चुनें…", none: "कोई जवाब नहीं",
      show: "दिखाएँ", hide: "छिपाएँ", showField: "दिखाएँ: {field}", hideField: "छिपाएँ: {field}",
      checking: "जाँच हो रही है…",
      refused: "कोई दूसरा मान दर्ज करें",
      unreachable: "सर्वर तक नहीं पहुँचा जा सका; फिर कोशिश करें",
      failed: "आपका जवाब स्वीकार नहीं हुआ; थोड़ी देर में फिर कोशिश करें",
      error: "गड़बड़ी:", problem: "एक समस्या है", languages: "भाषा",
      close: "आप यह पेज बंद कर सकते हैं।", again: "फिर से खोलें",
      accepted: .init(heading: "धन्यवाद", sentence: "जवाब स्वीकार कर लिया गया।"),
      cancelled: .init(heading: "रद्द किया गया", sentence: "कोई जवाब नहीं भेजा गया।"),
      done: .init(heading: "हो गया", sentence: "आपका चुनाव मिल गया।"),
      expired: .init(heading: "बहुत देर हो गई", sentence: "जवाब देने का समय समाप्त हो गया है।"),
      withdrawn: .init(heading: "अब ज़रूरत नहीं", sentence: "सवाल वापस ले लिया गया।"),
      answered: .init(heading: "जवाब पहले ही दिया जा चुका है", sentence: "इस सवाल का जवाब मिल चुका है।"),
      notFound: .init(
        heading: "नहीं मिला",
        sentence: "इस पते पर कोई सवाल नहीं है। लिंक जाँचें, या नया लिंक माँगें।"),
      notPossible: .init(heading: "यहाँ संभव नहीं", sentence: "लिंक एक बार फिर खोलें।"),
      tooLarge: .init(
        heading: "बहुत लंबा",
        sentence: "इतना भेजा गया कि पढ़ा नहीं जा सकता। वापस जाएँ, उसे छोटा करें और फिर भेजें।"),
      serverFault: .init(
        heading: "यहाँ कुछ गड़बड़ हो गई",
        sentence: "थोड़ी देर में फिर कोशिश करें। अगर ऐसा ही रहे, तो जिसने आपको लिंक भेजा है उसे बताएँ।"),
      prompts: "सवाल", noPrompts: "अभी कोई सवाल नहीं है।"))
}
