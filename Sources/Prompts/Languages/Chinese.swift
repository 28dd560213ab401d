extension Languages {
  /// In simplified characters.
  static let chinese = Wording<OneForm>(
    tag: "zh-Hans", name: "简体中文", comma: "、", colon: "：", or: "。或者：",

    nonEmpty: "请输入内容",
    notBlank: "请至少输入一个非空格字符",
    chooseOption: "请选择其中一项",
    length: .init(
      exactly: "请输入 {n} 个字符", atLeast: "请至少输入 {n} 个字符", atMost: "请最多输入 {n} 个字符",
      between: "请输入 {min} 到 {n} 个字符"),
    pattern: "请按要求的格式修改",
    predicate: "请输入其他内容，此内容未被接受",
    unchecked: "暂时无法检查，请稍后再试",
    email: "请输入电子邮件地址，例如 {example}",
    url: "请输入网址，例如 {example}",
    integer: "请输入整数，例如 {example}",
    number: "请输入数字，例如 {example}",
    date: "请输入日期，例如 {example}",
    time: "请输入时间，例如 {example}",
    dateTime: "请输入日期和时间，例如 {example}",
    skippedTime: "届时时钟会从 {from} 直接跳到 {to}，请输入更早或更晚的时间",
    otherOffset: "请将时差写为该时刻使用的 {offset}，或省略时差",
    unknownZone: "无法识别您的时区，请输入带有 UTC 时差的时间，例如 {example}",
    numberRange: .init(
      between: "请输入 {min} 到 {max} 之间的数字", atLeast: "请输入不小于 {min} 的数字", atMost: "请输入不大于 {max} 的数字"),
    dateRange: .init(
      between: "请输入 {min} 到 {max} 之间的日期", atLeast: "请输入不早于 {min} 的日期", atMost: "请输入不晚于 {max} 的日期"),
    timeRange: .init(
      between: "请输入 {min} 到 {max} 之间的时间", atLeast: "请输入不早于 {min} 的时间", atMost: "请输入不晚于 {max} 的时间"),
    dateTimeRange: .init(
      between: "请输入 {min} 到 {max} 之间的日期和时间", atLeast: "请输入不早于 {min} 的日期和时间",
      atMost: "请输入不晚于 {max} 的日期和时间"),
    wholeNumber: "请输入整数",
    multiple: "请输入 {step} 的倍数",
    multipleFrom: "请输入 {from}，或与它相差 {step} 的倍数的数字",
    onlyValue: "请输入“{value}”",
    oneOfValues: "请输入以下内容之一：{values}",
    acceptedValue: "请输入可接受的内容之一",
    count: .init(
      exactly: "请选择 {n} 项", atLeast: "请至少选择 {n} 项", atMost: "请最多选择 {n} 项", between: "请选择 {min} 到 {n} 项"),
    sameAs: "请输入与“{field}”相同的内容",
    numberOrder: .init(
      less: "请输入小于“{field}”的数字", lessOrEqual: "请输入不大于“{field}”的数字",
      greater: "请输入大于“{field}”的数字", greaterOrEqual: "请输入不小于“{field}”的数字"),
    dateOrder: .init(
      less: "请输入早于“{field}”的日期", lessOrEqual: "请输入不晚于“{field}”的日期",
      greater: "请输入晚于“{field}”的日期", greaterOrEqual: "请输入不早于“{field}”的日期"),
    timeOrder: .init(
      less: "请输入早于“{field}”的时间", lessOrEqual: "请输入不晚于“{field}”的时间",
      greater: "请输入晚于“{field}”的时间", greaterOrEqual: "请输入不早于“{field}”的时间"),
    dateTimeOrder: .init(
      less: "请输入早于“{field}”的日期和时间", lessOrEqual: "请输入不晚于“{field}”的日期和时间",
      greater: "请输入晚于“{field}”的日期和时间", greaterOrEqual: "请输入不早于“{field}”的日期和时间"),
    not: "请输入其他内容，此内容不被允许",
    text: "请删除文本中的控制字符",
    line: "请写在同一行内",
    boolean: "请回答 true 或 false",
    tooLong: "请减少 {n} 个字符",
    tooLongTogether: "请将所有回答合计减少 {n} 个字符",

    quote: "“{value}”",
    lastOr: "或",
    onlyIf: "仅当“{field}”为{values}时",
    onlyIfChosen: "仅当在“{field}”中选择了{values}时",
    onlyIfOn: "仅当“{field}”已开启时",
    onlyIfOff: "仅当“{field}”已关闭时",
    came: "现在还需填写：{fields}",
    went: "不再需要填写：{fields}",

    problems: "{n} 个问题。",
    page: PageWords(
      ok: "确定", cancel: "取消", optional: "选填", choose: "请选择…", none: "不作答",
      show: "显示", hide: "隐藏", showField: "显示{field}", hideField: "隐藏{field}",
      timeZone: "时区：{zone}",
      checking: "正在检查…",
      refused: "请输入其他内容",
      unreachable: "无法连接服务器，请重试",
      failed: "您的回答未被接受，请稍后再试",
      error: "错误：", problem: "有一个问题", languages: "语言",
      close: "您可以关闭此页面。", again: "再次打开",
      accepted: .init(heading: "谢谢", sentence: "回答已被接受。"),
      cancelled: .init(heading: "已取消", sentence: "没有提交任何回答。"),
      done: .init(heading: "完成", sentence: "已收到您的选择。"),
      expired: .init(heading: "已过期", sentence: "回答的时间已经结束。"),
      withdrawn: .init(heading: "不再需要", sentence: "此问题已被撤回。"),
      answered: .init(heading: "已有回答", sentence: "此问题已经有人回答。"),
      notFound: .init(heading: "未找到", sentence: "此地址没有问题。请检查链接，或索取新的链接。"),
      notPossible: .init(heading: "此处无法操作", sentence: "请再次打开链接。"),
      tooLarge: .init(heading: "内容过长", sentence: "发送的内容超出了可读取的范围。请返回并缩短内容，然后重新发送。"),
      serverFault: .init(heading: "出了点问题", sentence: "请稍后再试。如果问题仍然存在，请告知发送链接给您的人。"),
      prompts: "问题列表", noPrompts: "还没有任何问题。"))
}
