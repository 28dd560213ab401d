extension Languages {
  static let japanese = Wording<OneForm>(
    tag: "ja", name: "日本語", comma: "、", colon: "：", or: "。または：",

    nonEmpty: "値を入力してください",
    notBlank: "空白以外の文字を1文字以上入力してください",
    chooseOption: "選択肢から1つ選んでください",
    length: .init(
      exactly: "{n}文字で入力してください", atLeast: "{n}文字以上で入力してください", atMost: "{n}文字以内で入力してください",
      between: "{min}～{n}文字で入力してください"),
    pattern: "指定された形式に直してください",
    predicate: "別の値を入力してください。この値は受け付けられませんでした",
    unchecked: "確認できませんでした。しばらくしてからもう一度お試しください",
    email: "メールアドレスを入力してください（例：{example}）",
    url: "ウェブアドレスを入力してください（例：{example}）",
    integer: "整数を入力してください（例：{example}）",
    number: "数値を入力してください（例：{example}）",
    date: "日付を入力してください（例：{example}）",
    time: "時刻を入力してください（例：{example}）",
    dateTime: "日付と時刻を入力してください（例：{example}）",
    skippedTime: "その時、時計は{from}から{to}に進みます。それより前か後の時刻を入力してください",
    otherOffset: "時差はその時刻に使われている{offset}と書くか、省略してください",
    unknownZone: "お使いのタイムゾーンを認識できません。UTCとの時差を付けて時刻を入力してください（例：{example}）",
    numberRange: .init(
      between: "{min}から{max}までの数値を入力してください", atLeast: "{min}以上の数値を入力してください",
      atMost: "{max}以下の数値を入力してください"),
    dateRange: .init(
      between: "{min}から{max}までの日付を入力してください", atLeast: "{min}以降の日付を入力してください",
      atMost: "{max}以前の日付を入力してください"),
    timeRange: .init(
      between: "{min}から{max}までの時刻を入力してください", atLeast: "{min}以降の時刻を入力してください",
      atMost: "{max}以前の時刻を入力してください"),
    dateTimeRange: .init(
      between: "{min}から{max}までの日時を入力してください", atLeast: "{min}以降の日時を入力してください",
      atMost: "{max}以前の日時を入力してください"),
    wholeNumber: "整数を入力してください",
    multiple: "{step}の倍数を入力してください",
    multipleFrom: "{from}、または{from}に{step}の倍数を足すか引いた数値を入力してください",
    onlyValue: "「{value}」と入力してください",
    oneOfValues: "次のいずれかを入力してください：{values}",
    acceptedValue: "受け付けている値のいずれかを入力してください",
    count: .init(
      exactly: "ちょうど{n}個選んでください", atLeast: "{n}個以上選んでください", atMost: "{n}個以内で選んでください",
      between: "{min}～{n}個選んでください"),
    sameAs: "「{field}」と同じ内容を入力してください",
    numberOrder: .init(
      less: "「{field}」より小さい数値を入力してください", lessOrEqual: "「{field}」以下の数値を入力してください",
      greater: "「{field}」より大きい数値を入力してください", greaterOrEqual: "「{field}」以上の数値を入力してください"),
    dateOrder: .init(
      less: "「{field}」より前の日付を入力してください", lessOrEqual: "「{field}」以前の日付を入力してください",
      greater: "「{field}」より後の日付を入力してください", greaterOrEqual: "「{field}」以降の日付を入力してください"),
    timeOrder: .init(
      less: "「{field}」より前の時刻を入力してください", lessOrEqual: "「{field}」以前の時刻を入力してください",
      greater: "「{field}」より後の時刻を入力してください", greaterOrEqual: "「{field}」以降の時刻を入力してください"),
    dateTimeOrder: .init(
      less: "「{field}」より前の日時を入力してください", lessOrEqual: "「{field}」以前の日時を入力してください",
      greater: "「{field}」より後の日時を入力してください", greaterOrEqual: "「{field}」以降の日時を入力してください"),
    not: "別の値を入力してください。この値は使えません",
    text: "テキストから制御文字を削除してください",
    line: "1行で入力してください",
    boolean: "true または false で答えてください",
    tooLong: "{n}文字減らしてください",
    tooLongTogether: "回答全体で合わせて{n}文字減らしてください",

    quote: "「{value}」",
    lastOr: "または",
    onlyIf: "「{field}」が{values}の場合のみ",
    onlyIfChosen: "「{field}」で{values}を選んだ場合のみ",
    onlyIfOn: "「{field}」がオンの場合のみ",
    onlyIfOff: "「{field}」がオフの場合のみ",
    came: "新たに入力する項目：{fields}",
    went: "入力不要になった項目：{fields}",

    problems: "{n}件の問題があります。",
    page: PageWords(
      ok: "OK", cancel: "キャンセル", optional: "任意", choose: "選択してください", none: "回答しない",
      show: "表示", hide: "非表示", showField: "{field}を表示", hideField: "{field}を非表示",
      timeZone: "タイムゾーン: {zone}",
      checking: "確認しています…",
      refused: "別の値を入力してください",
      unreachable: "サーバーに接続できません。もう一度お試しください",
      failed: "回答は受け付けられませんでした。しばらくしてからもう一度お試しください",
      error: "エラー：", problem: "問題があります", languages: "言語",
      close: "このページは閉じてかまいません。", again: "もう一度開く",
      accepted: .init(heading: "ありがとうございます", sentence: "回答を受け付けました。"),
      cancelled: .init(heading: "キャンセルしました", sentence: "回答は送信されていません。"),
      done: .init(heading: "完了しました", sentence: "選択内容を受け取りました。"),
      expired: .init(heading: "期限切れです", sentence: "回答期限が過ぎています。"),
      withdrawn: .init(heading: "回答は不要になりました", sentence: "この質問は取り下げられました。"),
      answered: .init(heading: "回答済みです", sentence: "この質問にはすでに回答があります。"),
      notFound: .init(
        heading: "見つかりません", sentence: "このアドレスに質問はありません。リンクを確認するか、新しいリンクを依頼してください。"),
      notPossible: .init(heading: "ここではできません", sentence: "リンクをもう一度開いてください。"),
      tooLarge: .init(heading: "長すぎます", sentence: "送信内容が長すぎて読み取れません。戻って短くしてから、もう一度送信してください。"),
      serverFault: .init(
        heading: "問題が発生しました",
        sentence: "しばらくしてからもう一度お試しください。解決しない場合は、リンクの送信者にお知らせください。"),
      prompts: "質問", noPrompts: "質問はまだありません。"))
}
