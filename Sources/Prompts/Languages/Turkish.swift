extension Languages {
  static let turkish = Wording<OneOther>(
    tag: "tr", name: "Türkçe", comma: ", ", colon: ": ", or: ". Veya: ",

    nonEmpty: "Bir değer girin",
    notBlank: "Boşluk dışında en az bir karakter girin",
    chooseOption: "Seçeneklerden birini seçin",
    length: .init(
      exactly: .init(one: "Tam olarak {n} karakter girin", other: "Tam olarak {n} karakter girin"),
      atLeast: .init(one: "En az {n} karakter girin", other: "En az {n} karakter girin"),
      atMost: .init(one: "En fazla {n} karakter girin", other: "En fazla {n} karakter girin"),
      between: .init(one: "{min} ile {n} arasında karakter girin", other: "{min} ile {n} arasında karakter girin")),
    pattern: "Metni istenen biçime getirin",
    predicate: "Başka bir değer girin; bu değer kabul edilmedi",
    unchecked: "Bu denetlenemedi; birazdan yeniden deneyin",
    email: "Bir e-posta adresi girin, örneğin {example}",
    url: "Bir web adresi girin, örneğin {example}",
    integer: "Bir tam sayı girin, örneğin {example}",
    number: "Bir sayı girin, virgül yerine nokta kullanın, örneğin {example}",
    date: "Bir tarih girin, örneğin {example}",
    time: "Bir saat girin, örneğin {example}",
    dateTime: "Bir tarih ve saat girin, örneğin {example}",
    skippedTime:
      "Saatler o anda {from} değerinden doğrudan {to} değerine geçer: daha erken veya daha geç bir saat girin",
    otherOffset: "Farkı o saatte geçerli olan {offset} olarak yazın veya hiç yazmayın",
    unknownZone: "Saat diliminiz burada bilinmiyor: saati UTC farkıyla girin, örneğin {example}",
    numberRange: .init(
      between: "{min} ile {max} arasında bir sayı girin", atLeast: "{min} veya daha büyük bir sayı girin",
      atMost: "{max} veya daha küçük bir sayı girin"),
    dateRange: .init(
      between: "{min} ile {max} arasında bir tarih girin", atLeast: "{min} veya daha sonraki bir tarih girin",
      atMost: "{max} veya daha önceki bir tarih girin"),
    timeRange: .init(
      between: "{min} ile {max} arasında bir saat girin", atLeast: "{min} veya daha sonraki bir saat girin",
      atMost: "{max} veya daha önceki bir saat girin"),
    dateTimeRange: .init(
      between: "{min} ile {max} arasında bir tarih ve saat girin",
      atLeast: "{min} veya daha sonraki bir tarih ve saat girin",
      atMost: "{max} veya daha önceki bir tarih ve saat girin"),
    wholeNumber: "Bir tam sayı girin",
    multiple: "{step} sayısının bir katını girin",
    multipleFrom: "{from} değerini veya ondan {step} sayısının katları kadar farklı bir sayı girin",
    onlyValue: "“{value}” girin",
    oneOfValues: "Şu değerlerden birini girin: {values}",
    acceptedValue: "Kabul edilen değerlerden birini girin",
    count: .init(
      exactly: .init(one: "Tam olarak {n} seçenek seçin", other: "Tam olarak {n} seçenek seçin"),
      atLeast: .init(one: "En az {n} seçenek seçin", other: "En az {n} seçenek seçin"),
      atMost: .init(one: "En fazla {n} seçenek seçin", other: "En fazla {n} seçenek seçin"),
      between: .init(one: "{min} ile {n} arasında seçenek seçin", other: "{min} ile {n} arasında seçenek seçin")),
    sameAs: "“{field}” alanındakinin aynısını girin",
    numberOrder: .init(
      less: "“{field}” alanındakinden küçük bir sayı girin",
      lessOrEqual: "“{field}” alanındakinden büyük olmayan bir sayı girin",
      greater: "“{field}” alanındakinden büyük bir sayı girin",
      greaterOrEqual: "“{field}” alanındakinden küçük olmayan bir sayı girin"),
    dateOrder: .init(
      less: "“{field}” alanındakinden önceki bir tarih girin",
      lessOrEqual: "“{field}” alanındakinden sonra olmayan bir tarih girin",
      greater: "“{field}” alanındakinden sonraki bir tarih girin",
      greaterOrEqual: "“{field}” alanındakinden önce olmayan bir tarih girin"),
    timeOrder: .init(
      less: "“{field}” alanındakinden önceki bir saat girin",
      lessOrEqual: "“{field}” alanındakinden sonra olmayan bir saat girin",
      greater: "“{field}” alanındakinden sonraki bir saat girin",
      greaterOrEqual: "“{field}” alanındakinden önce olmayan bir saat girin"),
    dateTimeOrder: .init(
      less: "“{field}” alanındakinden önceki bir tarih ve saat girin",
      lessOrEqual: "“{field}” alanındakinden sonra olmayan bir tarih ve saat girin",
      greater: "“{field}” alanındakinden sonraki bir tarih ve saat girin",
      greaterOrEqual: "“{field}” alanındakinden önce olmayan bir tarih ve saat girin"),
    not: "Başka bir değer girin; bu değere izin verilmiyor",
    text: "Bu metindeki denetim karakterlerini kaldırın",
    line: "Hepsini tek satıra yazın",
    boolean: "true veya false yanıtını verin",
    tooLong: .init(one: "Bu metni {n} karakter kısaltın", other: "Bu metni {n} karakter kısaltın"),
    tooLongTogether: .init(
      one: "Yanıtlarınızı toplam {n} karakter kısaltın", other: "Yanıtlarınızı toplam {n} karakter kısaltın"),

    quote: "“{value}”",
    lastOr: " veya ",
    onlyIf: "Yalnızca “{field}” {values} ise",
    onlyIfChosen: "Yalnızca “{field}” alanında {values} seçiliyse",
    onlyIfOn: "Yalnızca “{field}” açıksa",
    onlyIfOff: "Yalnızca “{field}” kapalıysa",
    came: "Artık bu da soruluyor: {fields}",
    went: "Artık sorulmuyor: {fields}",

    problems: .init(one: "{n} sorun var.", other: "{n} sorun var."),
    page: PageWords(
      ok: "Tamam", cancel: "İptal", optional: "isteğe bağlı", choose: "Seçin…", none: "Yanıt yok",
      show: "Göster", hide: "Gizle", showField: "Göster: {field}", hideField: "Gizle: {field}",
      timeZone: "Saat dilimi: {zone}",
      checking: "Denetleniyor…",
      refused: "Başka bir değer girin",
      unreachable: "Sunucuya ulaşılamıyor; yeniden deneyin",
      failed: "Yanıtınız kabul edilmedi; birazdan yeniden deneyin",
      error: "Hata:", problem: "Bir sorun var", languages: "Dil",
      close: "Bu sayfayı kapatabilirsiniz.", again: "Yeniden aç",
      accepted: .init(heading: "Teşekkürler", sentence: "Yanıt kabul edildi."),
      cancelled: .init(heading: "İptal edildi", sentence: "Hiçbir yanıt gönderilmedi."),
      done: .init(heading: "Tamamlandı", sentence: "Seçiminiz alındı."),
      expired: .init(heading: "Çok geç", sentence: "Yanıt süresi doldu."),
      withdrawn: .init(heading: "Artık gerekmiyor", sentence: "Soru geri çekildi."),
      answered: .init(heading: "Zaten yanıtlandı", sentence: "Bu soru yanıtını aldı."),
      notFound: .init(
        heading: "Bulunamadı",
        sentence: "Bu adreste bir soru yok. Bağlantıyı kontrol edin veya yenisini isteyin."),
      notPossible: .init(heading: "Burada mümkün değil", sentence: "Bağlantıyı bir kez daha açın."),
      tooLarge: .init(
        heading: "Çok uzun",
        sentence: "Okunabilecekten fazlası gönderildi. Geri dönün, kısaltın ve yeniden gönderin."),
      serverFault: .init(
        heading: "Burada bir şeyler ters gitti",
        sentence: "Birazdan yeniden deneyin. Sorun sürerse bağlantıyı size gönderen kişiye haber verin."),
      prompts: "Sorular", noPrompts: "Henüz soru yok."))
}
