import type { Messages } from './en'

/** With the words that users of Annict know. */
export const ja: Messages = {
  language: {
    name: '日本語',
    locale: 'ja',
    dayAndTime: (day, time) => `${day} ${time}`,
    title: '言語',
    asBrowser: 'ブラウザーの設定に従う',
    use: 'この言語を使う',
  },

  common: {
    colon: '：',
    sentences: (sentences) => sentences.join(''),
    error: (title) => `エラー：${title}`,
    save: '保存',
    cancel: 'キャンセル',
    close: '閉じる',
    continue: '続ける',
    done: '完了',
    yes: 'はい',
    no: 'いいえ',
    never: 'なし',
    name: '名前',
    scope: 'スコープ',
    lastUsed: '最終利用',
    expires: '有効期限',
    validFor: '有効期間',
    days: (count) => `${count}日間`,
    revoke: '取り消す',
    registeredBy: '登録者',
    checkMail: 'メールをご確認ください',
    sendLink: 'リンクを送信',
    backToSettings: '設定へ戻る',
  },

  layout: {
    skip: '本文へ移動',
    about: 'このサイトについて',
    toHome: 'トップページへ',
  },

  shell: {
    navigation: 'メイン',
    track: '追う',
    find: '探す',
    library: '書庫',
    me: '自分',
    search: '検索',
    searchHint: '題名・かな・ローマ字・URL',
    menuOf: (username: string) => `${username} のメニュー`,
    undo: '取り消す',
    notSaved: '保存できませんでした。サーバーが応答しません。',
  },

  time: {
    tonight: (clock: string) => `今夜 ${clock}`,
    today: (clock: string) => `今日 ${clock}`,
    tomorrow: (clock: string) => `明日 ${clock}`,
    yesterday: (clock: string) => `昨日 ${clock}`,
    onWeekday: (weekday: string, clock: string) => `${weekday}曜 ${clock}`,
    onDay: (day: string, clock: string) => `${day} ${clock}`,
    sinceToday: '今日から',
    sinceYesterday: '昨日から',
    since: (day: string) => `${day.replace(/曜日$/, '曜')}から`,
    unknown: '日付不明',
  },

  keys: {
    title: 'キー操作',
    inList: '一覧で',
    everywhere: 'どこでも',
    row: '次・前の行',
    open: '開く',
    record: '次の話を記録',
    sheet: '評価・感想をつけて記録',
    upTo: 'ここまで記録',
    status: 'ステータス',
    rating: '評価',
    undo: '取り消す',
    search: '検索欄',
    track: '追う',
    find: '探す',
    library: '書庫',
    me: '自分',
    season: '前後の季節・月・週',
    today: '今日',
    list: 'この一覧',
    close: '閉じる',
    notInFields: '入力欄の中と、日本語の変換中は働きません。',
    switchOff: 'キー操作をオフにする',
  },

  preferences: {
    look: '見た目と言葉',
    languageAndTime: '言葉と時刻',
    display: 'テーマ・ネタバレ・キー',
    on: 'オン',
    off: 'オフ',
    none: 'なし',
    titles: '題名',
    native: 'もとの題名',
    romaji: 'ローマ字',
    english: '英語',
    timeAndWeek: '時刻と週',
    timeZone: '時間帯',
    zoneOfBrowser: 'ブラウザーに合わせる',
    nowThere: (clock) => `今は ${clock} です。`,
    weekStart: '週の始まり',
    monday: '月曜',
    sunday: '日曜',
    saturday: '土曜',
    longNights: '深夜の書き方',
    longNightsHint: '朝5時までの番組は、前の日の夜として扱います。',
    nextDay: '翌1:05',
    ratings: '評価',
    ratingsHint: '表示だけが変わります。保存された評価はそのままです。',
    words: '言葉',
    stars: '★5',
    ten: '10点',
    theme: 'テーマ',
    auto: '端末に合わせる',
    light: 'ライト',
    dark: 'ダーク',
    keys: 'キー操作',
    keysHint: '1つのキーで記録・検索・移動ができます。入力欄の中では働きません。',
    guardsSpoilers: 'ネタバレ防止',
    guardsSpoilersHint: 'まだ記録していない話の感想は、開くまでたたんでおきます。',
  },

  home: {
    title: 'アニメの視聴記録',
    explained: (version) =>
      `kiroku ${version} のサイトです。作品のカタログと、みんなの視聴記録を保管しています。`,
    works: '作品',
    episodes: 'エピソード',
    users: 'ユーザー',
    api: 'Annict の v1 と互換性のある REST API',
    nextSteps: '次にすること',
    invite: 'ほかの人を招待する',
    createToken: '個人用アクセストークンを作成する',
    reviewSettings: '自分の設定を確認する',
  },

  about: {
    licence: (version) => `kiroku ${version} は MIT ライセンスのフリーソフトウェアです。`,
    toData: 'カタログのデータの出典と日付',
    data: 'カタログのデータ',
    sources: '標準のカタログは次のデータ（日付は取得時点）から作られています。',
    bangumiData:
      '作品、タイトル、日付、配信。選別し、日付を補い、下記の ID と結び付けるなどの変更を加えています',
    arm: 'ほかのサイトでの作品の ID',
    bgmd: '初回放送日と別名（事実のみ）',
    searchData: 'エピソードの数（事実のみ）',
    readings: 'タイトルの読み（辞書 IPADIC による推定、検索のみに使用）',
    facts: 'Annict にある作品の ID、メディア、シーズン、タイトル（事実のみ）',
    relations: '続編に続く話数（エピソードの数の判定に使用）',
    age: (day) =>
      `${day} より後に発表された作品は含まれません。kiroku の新しい版か、管理者による追加で補われます。`,
    missing:
      '読みがな、キャスト、スタッフ、サブタイトルは含まれません。話数の分からない作品のエピソードは、放送日から推定しています。管理者は次のコマンドでデータを追加できます：',
  },

  apiDocs: {
    title: 'API ドキュメント',
    explained:
      'Annict の v1 と互換性のある REST API です。Annict 用のクライアントは、接続先のアドレスを変えるだけで使えます。すべてのエンドポイントにアクセストークンが必要です。一覧はページに分かれ、fields で返す項目を選べます。',
    baseUrl: 'ベース URL：',
    createToken: 'トークンの作成：',
    register: 'アプリの登録：',
    redirectUri: 'このページで API を試すときのリダイレクト URI：',
    errors: 'エラーについて：',
    forPrograms: 'プログラム向け：',
    tryOut:
      'エンドポイントを試すには、「Authorize」を押してトークンを入力し、エンドポイントを開いて「Execute」を押します。Annict にないものは Extension と表示されます。',
    reference: 'リファレンス',
    referenceLanguage: 'リファレンスは英語です。',
    needsScript: 'リファレンスの表示には JavaScript が必要です。元の文書はこちらです：',
  },

  apiErrors: {
    title: 'API のエラー',
  },

  errorTitles: {
    invalid_params: 'リクエストを理解できませんでした',
    unauthorized: 'ログインが必要です',
    forbidden: '許可されていません',
    unknown_route: 'ページが見つかりません',
    not_found: '見つかりません',
    method_not_allowed: 'この操作はここではできません',
    payload_too_large: 'リクエストが大きすぎます',
    rate_limited: 'リクエストが多すぎます',
    internal_error: 'エラーが発生しました',
    service_unavailable: 'サイトを一時的に利用できません',
  },

  problem: {
    unknownRoute: 'このアドレスのページはありません。',
    notFound: 'このアドレスの内容は存在しないか、削除されました。',
    rateLimited: '短時間に多くのページが開かれました。少し待ってから開き直してください。',
    methodNotAllowed: 'このアドレスは、この方法では開けません。',
    notYours: 'このページは存在しないか、ほかの人のものです。',
    requestId: 'リクエスト',
    adminsOnlyTitle: '管理者専用',
    adminsOnly: 'このページは管理者だけが開けます。',
    linkTitle: 'このリンクは使えません',
    link: (advice) => `使用済みか、新しいリンクに置き換えられたか、有効期限が切れています。${advice}`,
    tooOften: (wait) => `試行回数が多すぎます。${wait}秒後にもう一度お試しください。`,
  },

  form: {
    check: '入力内容を確認してください',
    failed: '処理できませんでした',
    notUnderstood: 'フォームを理解できませんでした',
    notText: 'テキストとして1回だけ送信してください。',
    missing: '入力してください。',
    tooLong: (limit) => `${limit}文字以内で入力してください。`,
    notOffered: '選択肢から選んでください。',
    busy: '混み合っています。少し待ってからもう一度お試しください。',
    sentBefore:
      '今回は何も作成していません。このフォームは送信済みで、前回作成したものは再表示できません。新しく作成するには、もう一度送信してください。',
    refusedTitle: 'フォームを受け付けられませんでした',
    fromElsewhere: '別のサイトのページから送信されました。',
    wrongAddress: (origin) =>
      `このサイトのアドレスは ${origin} ですが、別のアドレスで開かれています。そちらで開くか、使うアドレスを --base-url に指定して kiroku を起動してください。`,
    noCookie:
      'このサイトの Cookie が届きませんでした。Cookie を許可し、フォームを開き直してもう一度送信してください。',
    outOfDate: 'ログインまたはログアウトする前のフォームです。開き直してもう一度送信してください。',
  },

  rules: {
    name: '名前',
    note: 'メモ',
    description: '用途',
    aboutYou: '自己紹介',
    blank: (subject) => `${subject}を入力してください。`,
    tooLong: (subject, limit) => `${subject}は${limit}文字以内で入力してください。`,
    controlCharacters: (subject) => `${subject}に制御文字は使えません。`,
    invisibleCharacters: '名前に見えない文字は使えません。',
    siteName: 'このサイトの名前は使えません。',
    username: 'ユーザー名は A-Z、a-z、0-9、_ の1～20文字にしてください。',
    usernameReserved: (username) => `ユーザー名 ${username} は使えません。`,
    usernameTaken: (username) => `ユーザー名 ${username} はすでに使われています。`,
    email: 'alice@example.com のようなメールアドレスを入力してください。',
    emailTaken: (email) => `メールアドレス ${email} はすでに使われています。`,
    webAddress:
      'https://example.com/ のような http または https の URL を500文字以内で入力してください。ユーザー名やパスワードは含めないでください。',
    passwordTooShort: 'パスワードは8文字以上にしてください。',
    passwordTooLong: 'パスワードは1024バイト以内にしてください。',
    passwordControlCharacters: 'パスワードに制御文字や改行は使えません。',
    passwordCommon: 'よく使われるパスワードは使えません。',
    passwordOfNames:
      'パスワードには、ユーザー名、メールアドレス、「kiroku」のほかに、推測されにくい8文字以上を含めてください。',
    mostTokens: (most) => `トークンは${most}個までです。先に不要なものを取り消してください。`,
    mostApplications: (most) => `アプリは${most}個までです。先に不要なものを削除してください。`,
    onlyAdministrator: 'ほかに管理者がいません。先に別の管理者を設定してください。',
  },

  values: {
    required: '必須です',
    text: 'テキストにしてください',
    notArray: '配列は指定できません',
    notObject: 'オブジェクトは指定できません',
    notFile: 'ファイルは指定できません',
    once: '1回だけ送信してください',
    idArray: '整数の配列、またはコンマ区切りの整数にしてください',
    printable: 'NUL 文字や不完全な文字は使えません',
    notEmpty: '空にはできません',
    notBlank: '空白だけにはできません',
    atMost: (max) => `${max}文字以内にしてください`,
    notLonger: (limit) => `${limit.toLocaleString('ja')}文字以内にしてください`,
    oneOf: (words) => `${words.join('、')} のいずれかにしてください`,
    either: (words) => `${words.join('、')} のいずれかにしてください`,
    wordsOf: (words) => `${words.join('、')} から選び、コンマで区切ってください`,
    trueOrFalse: 'true または false にしてください',
    integerUpTo: (max) => `1から${max}までの整数にしてください`,
    positiveInteger: '15桁以内の正の整数にしてください',
    wholeNumber: (least, most) => `${least}から${most}までの整数にしてください`,
    countedId: '正の整数にしてください',
    decimal: (max, step) => `0から${max}まで、${step}刻みの数にしてください`,
    rateLimit: 'off または1以上の整数にしてください',
    ids: 'コンマ区切りの ID にしてください',
    mostIds: (most) => `ID は${most}個までです`,
    longIds: '各 ID は15桁以内にしてください',
    username: 'A-Z、a-z、0-9、_ のユーザー名にしてください',
    usernames: 'A-Z、a-z、0-9、_ のユーザー名をコンマで区切ってください',
    fields: 'a-z、0-9、_ のフィールド名をコンマで区切り、入れ子は点でつないでください',
    season: (form) => `${form} にしてください。season は winter、spring、summer、autumn、all のいずれかです`,
    seasonName: (form) =>
      `${form} にしてください。season は winter、spring、summer、autumn、all のいずれかです`,
    moment: 'YYYY/MM/DD HH:MM（UTC）、日付、またはタイムゾーン付きの ISO 8601 にしてください',
    watched:
      '2026-04-01T21:00:00+09:00 のようなタイムゾーン付きの日時、または 2016-03-05、2016-03、2016 のような日付にしてください',
    future: '未来の日時は指定できません',
    before1900: '1900年より前の日時は指定できません',
    instant: '2024-01-05T15:30:00Z のような、タイムゾーン付きの日時にしてください',
    date: '2026-04-01 のような日付にしてください',
    realDay: '実在する日付を YYYY-MM-DD で指定してください',
    duration: '45s、90m、12h、30d のような時間にしてください',
    interval: '"P7D" のような ISO 8601 の期間にしてください',
    host: 'ホスト名またはアドレスにしてください',
    httpUrl: 'http または https の URL にしてください',
    noUser: 'ユーザー名やパスワードは含めないでください',
    noQuery: 'クエリやフラグメントは含めないでください',
    smtpUrl: 'smtp://mail.example:587 や smtps://NAME:PASSWORD@mail.example のような URL にしてください',
    bothOrNeither: 'ユーザー名とパスワードは両方含めるか、どちらも含めないでください',
    email: 'kiroku@example.com のようなメールアドレスにしてください',
    networks: '127.0.0.1,10.0.0.0/8 のようなアドレスまたはネットワークにしてください',
    prefecture: '東京都のような都道府県名にしてください',
    key: '"annict:4168" のようなテキストにしてください',
    inObject: 'オブジェクトの中に書いてください',
    codeVerifier: 'A-Z a-z 0-9 - . _ ~ の43～128文字にしてください',
    codeChallenge: 'S256 で作った、A-Z a-z 0-9 - _ の43文字にしてください',
    scope: 'read、write、またはその両方にしてください',
  },

  redirectUri: {
    none: 'リダイレクト URI を1つ以上入力してください。',
    most: (most) => `リダイレクト URI は${most}個までです。`,
    tooLong: (place, limit) => `${place}つ目のリダイレクト URI は${limit}文字以内で入力してください。`,
    characters: (place) =>
      `${place}つ目のリダイレクト URI は、URI に使える文字だけで入力してください（ほかの文字はパーセントエンコードします）。`,
    notAbsolute: (place) =>
      `${place}つ目のリダイレクト URI は、https://example.com/callback のように、小文字のスキームから始まる完全な URI にしてください。`,
    host: (place) =>
      `${place}つ目のリダイレクト URI のホスト名は、A-Z、a-z、0-9、ドット、ハイフンだけにするか、IP アドレスにしてください。`,
    fragment: (place) => `${place}つ目のリダイレクト URI にフラグメント（#）は使えません。`,
    wildcard: (place) =>
      `${place}つ目のリダイレクト URI にワイルドカード（*）は使えません。URI を1つずつ登録してください。`,
    user: (place) => `${place}つ目のリダイレクト URI にユーザー名やパスワードは使えません。`,
    scheme: (place) =>
      `${place}つ目のリダイレクト URI は、https: か、ドットを含む独自のスキーム（com.example.app など）で始めてください。`,
    notEncrypted: (place) =>
      `${place}つ目のリダイレクト URI は、同じコンピューター（127.0.0.1、[::1]、localhost）へのものでなければ、https: で始めてください。`,
  },

  signIn: {
    title: 'ログイン',
    nameOrEmail: 'ユーザー名またはメールアドレス',
    onceConfirmed: 'ログインに使えるのは、確認済みのメールアドレスだけです。',
    forgot: 'パスワードを忘れた場合',
    byInvitation: 'アカウントの作成には招待が必要です。',
    otherAccount: '別のアカウントでログイン',
    wrong: 'ユーザー名またはパスワードが違います。',
    disabled: 'このアカウントは停止されています。',
    signOut: 'ログアウト',
  },

  signUp: {
    title: 'アカウントの作成',
    button: 'アカウントを作成',
    sent: '手続きを続けるためのリンクを送信しました。有効期限は1時間です。',
    closedTitle: 'アカウントは作成できません',
    closed: 'このサイトのアカウントは管理者が作成します。',
    invitationTitle: '招待が必要です',
    invitation: 'アカウントの作成には、このサイトの管理者が発行する招待リンクが必要です。',
    newLink: '新しいリンクを依頼してください。',
  },

  setup: {
    title: 'kiroku の初期設定',
    explained:
      '管理者のアカウントを作成します。管理者は、ほかの人を招待したり、アカウントを停止したりできます。',
    button: '管理者を作成',
    newLink: '管理者がまだいなければ、「kiroku setup-url」で新しいリンクを作成できます。',
  },

  account: {
    username: 'ユーザー名',
    usernameHint: 'A-Z、a-z、0-9、_ の1～20文字です。公開されます。',
    email: 'メールアドレス',
    emailHint: '本人と管理者だけに表示されます。',
    password: 'パスワード',
    newPassword: '新しいパスワード',
    newPasswordHint:
      '8文字以上にしてください。15文字以上をおすすめします。単語をいくつか並べると、覚えやすく推測されにくくなります。',
    currentPassword: '現在のパスワード',
    yourPassword: 'パスワード',
    wrongPassword: 'パスワードが違います。',
  },

  settings: {
    title: '設定',
    you: 'あなたについて',
    signIn: 'ログインとセキュリティ',
    data: 'データ',
    leave: '退会しますか。',
  },

  profile: {
    title: 'プロフィール',
    username: (username) => `ユーザー名は ${username} です。ここに書いた内容はすべての人に公開されます。`,
    about: '自己紹介',
    website: 'ウェブサイト',
    websiteHint: 'https:// から始まる URL',
  },

  email: {
    confirmed: 'このアドレスでログインできます。',
    unconfirmed: '未確認です。ログインにはユーザー名を使ってください。',
    sent: '新しいアドレスにリンクを送信しました。1時間以内にこのブラウザーでリンクを開くと、変更できます。',
    change: 'アドレスを変更',
    use: 'このアドレスを使う',
    newLink: '設定からやり直してください。',
  },

  password: {
    signsOutElsewhere: 'パスワードを変更すると、このブラウザー以外ではログアウトされます。',
    revokeTokens: 'すべてのアクセストークンも取り消す',
    revokeTokensHint:
      'ほかの人に使われたおそれがある場合に選んでください。アプリとの連携は、すべてやり直しになります。',
    change: 'パスワードを変更',
    changed: 'パスワードを変更しました',
  },

  resetPassword: {
    title: 'パスワードの再設定',
    explained: 'アカウントのメールアドレスに、新しいパスワードを設定するためのリンクを送ります。',
    noMail:
      'このサイトはメールを送信しません。新しいパスワードを設定するためのリンクを管理者に依頼してください。',
    forAdministrators: '管理者は「ユーザー」のページ、または次のコマンドで作成できます：',
    sent: '該当するアカウントに確認済みのメールアドレスがあれば、リンクを送信しました。有効期限は1時間です。',
    choose: '新しいパスワードの設定',
    signsOut: '設定すると、すべてのブラウザーでログアウトされます。',
    button: 'パスワードを設定',
    newLink: '「パスワードを忘れた場合」からやり直してください。',
  },

  sessions: {
    title: 'ログイン中のブラウザー',
    browser: 'ブラウザー',
    unknownBrowser: '不明なブラウザー',
    browserOn: (browser, system) => `${browser}（${system}）`,
    address: 'IP アドレス',
    signedIn: 'ログイン日時',
    thisOne: 'このブラウザー',
    others: 'ほかのブラウザー',
    othersHint: '心当たりのないブラウザーがあるときは、このブラウザー以外をすべてログアウトしてください。',
    signOutOthers: 'ほかのブラウザーをすべてログアウト',
  },

  twoStep: {
    title: '2段階認証',
    isOff:
      '無効です。有効にすると、ログインにはパスワードに加えてスマートフォンのアプリに表示されるコードが必要になります。',
    required: 'このサイトでは2段階認証が必須です。',
    requiredFirst: 'このサイトでは2段階認証が必須です。続けるには有効にしてください。',
    setUp: '設定する',
    setUpTitle: '2段階認証の設定',
    scan: 'スマートフォンの認証アプリで読み取るか、キーを入力してください。',
    qrCode: '下のキーの QR コード',
    key: 'キー',
    codeInApp: 'アプリに表示されたコード',
    turnOn: '2段階認証を有効にする',
    onSince: '有効にした日時',
    code: 'コード',
    codeHint: '認証アプリに表示される6桁の数字、またはリカバリーコードを入力してください。',
    wrongCode: '正しくないか、使用済みです。同じコードは1回しか使えません。',
    turnOffTitle: '2段階認証を無効にする',
    passwordAlone: '無効にすると、パスワードだけでログインできるようになります。',
    signOutOthersHint: 'ほかの人に使われたおそれがある場合に選んでください。',
    turnOff: '無効にする',
  },

  recoveryCodes: {
    title: 'リカバリーコード',
    left: '残りのリカバリーコード',
    explained: 'リカバリーコードは、スマートフォンが手元にないときに1回ずつ使えます。',
    keep: '印刷するなどして、スマートフォンとは別の安全な場所に保管してください。それぞれ1回だけ、コードの代わりに使えます。表示されるのはこの1回だけで、以前のリカバリーコードは使えなくなります。',
    renew: 'リカバリーコードを作り直す',
    renewTitle: 'リカバリーコードの再作成',
    renewExplained:
      '新しいコードを作成すると、これまでのコードはすべて使えなくなります。続けるにはパスワードまたはコードを入力してください。',
    orCode: 'またはコード',
    proofMissing: 'パスワードまたはコードを入力してください。',
  },

  confirm: {
    title: 'パスワードの確認',
    signedInAs: (username) => `ログイン中のユーザー：${username}`,
    toContinue: '続けるには、パスワードをもう一度入力してください。',
    toChangeEmail: 'メールアドレスを変更するには、パスワードをもう一度入力してください。',
    toRenewCodes: 'リカバリーコードを作り直すには、パスワードをもう一度入力してください。',
    toTurnOffTwoStep: '2段階認証を無効にするには、パスワードをもう一度入力してください。',
    toManageTwoStep: '2段階認証を管理するには、パスワードをもう一度入力してください。',
    toSeeSessions: 'ログイン中のブラウザーを確認するには、パスワードをもう一度入力してください。',
    toDownloadData: 'データをダウンロードするには、パスワードをもう一度入力してください。',
    toDeleteAccount: 'アカウントを削除するには、パスワードをもう一度入力してください。',
    toCreateToken: '個人用アクセストークンを作成するには、パスワードをもう一度入力してください。',
    toReplaceSecret: 'クライアントシークレットを更新するには、パスワードをもう一度入力してください。',
    toCreateResetLink: 'パスワード再設定リンクを作成するには、パスワードをもう一度入力してください。',
    toManageUsers: 'ユーザーを管理するには、パスワードをもう一度入力してください。',
    toManageInvitations: '招待を管理するには、パスワードをもう一度入力してください。',
    toAdminister: '管理画面を開くには、パスワードをもう一度入力してください。',
  },

  data: {
    title: 'データのダウンロード',
    explained:
      'あなたについて保存されているすべてのデータを、1つの JSON ファイルでダウンロードできます。プロフィール、記録、感想、視聴ステータス、アクティビティ、お気に入り、チャンネル、フォロー、フォロワー、ミュート、いいね、通知、アプリ、トークンの説明（トークン自体は含みません）、ログイン中のブラウザー、招待が含まれます。',
    download: 'ダウンロード',
  },

  deleteAccount: {
    title: 'アカウントの削除',
    explained:
      '元に戻すことはできません。プロフィール、記録、感想、視聴ステータス、いいね、フォロー、お気に入り、アプリ、トークンが削除されます。自分で登録したアプリは、ほかの人も使えなくなります。',
    keptComments: 'コメントと感想を残す場合、削除されたユーザーのものとして表示されます。',
    what: '削除するもの',
    everything: 'すべて',
    keepComments: 'すべて（コメントと感想は名前を消して残す）',
    downloadFirst: '先にデータをダウンロードする',
    button: 'アカウントを削除する',
    doneTitle: 'アカウントを削除しました',
    done: '残りのデータを削除しています。1分ほどかかることがあります。',
  },

  scopes: {
    read: '読み取り',
    readHint:
      'プロフィール、メールアドレス、記録、感想、視聴ステータス、フォロー、通知を見ることができます。変更はできません。',
    readWrite: '読み取りと書き込み',
    readWriteHint:
      '上記に加えて、記録、感想、視聴ステータスの作成・変更・削除、フォロー、いいね、ミュートができます。',
    write: '書き込み',
    writeHint: '作成・変更・削除だけができ、データを見ることはできません。記録専用のプログラム向けです。',
  },

  mayDo: {
    read: 'プロフィール、メールアドレス、記録、感想、視聴ステータス、フォロー、通知を見る',
    write: '記録、感想、視聴ステータスの作成・変更・削除、フォロー、いいね、ミュートを行う',
  },

  tokens: {
    title: '個人用アクセストークン',
    explained: '個人用アクセストークンを使うと、自分のプログラムから自分の名前で API を利用できます。',
    none: 'トークンはまだありません。',
    description: '用途',
    descriptionHint: 'あとで見分けるための説明です。',
    created: '作成日時',
    expired: '（期限切れ）',
    newTitle: '新しいトークン',
    untilRevoked: '取り消すまで',
    aYear: '1年間',
    create: 'トークンを作成',
    longAgo: 'ログインから時間がたっています。',
    confirmFirst: 'パスワードを確認してトークンを作成する',
    createdTitle: '新しいトークン',
    copyNow: '今コピーしてください。あとから見ることはできません。',
    back: 'トークンの一覧へ戻る',
    revokeTitle: (description) => `トークン「${description}」を取り消しますか？`,
    revokeExplained:
      'このトークンを使うプログラムはすぐに動かなくなります。元には戻せませんが、新しいトークンを作成できます。',
    revokeButton: 'トークンを取り消す',
  },

  connected: {
    title: '連携中のアプリ',
    none: '連携中のアプリはありません。',
    application: 'アプリ',
    since: '連携した日時',
    revokeTitle: (name) => `${name} との連携を取り消しますか？`,
    revokeExplained:
      'もう一度許可するまで、すべての端末で、このアプリはあなたのアカウントにアクセスできなくなります。',
    revokeButton: '連携を取り消す',
  },

  applications: {
    title: '開発したアプリ',
    explained: 'アプリは、利用者の許可を得て、その人の名前で API を利用します。',
    users: '利用者数',
    register: 'アプリを登録',
    registerButton: '登録',
    nameHint: '許可を求める画面に表示されます。',
    redirectUris: 'リダイレクト URI',
    redirectUrisHint: (outOfBand) =>
      `1行に1つずつ入力します。${outOfBand} を使うと、コピー用にコードを画面に表示します。`,
    widestScope: '要求できる最大のスコープ',
    canKeepSecret: 'クライアントシークレットを安全に保管できる',
    canKeepSecretHint:
      'サーバー上のプログラムならオン、配布するアプリやブラウザーで動くアプリならオフにします。あとから変更できません。',
    onDevices: 'ブラウザーのない機器でも使う',
    onDevicesHint: 'デバイス認可グラントを使えるようにします。利用者は別の機器で短いコードを入力します。',
    credentials: 'アプリに設定する値',
    clientId: 'クライアント ID',
    clientSecret: 'クライアントシークレット',
    copySecretNow: 'クライアントシークレットを今コピーしてください。あとから見ることはできません。',
    toApplication: 'アプリのページへ',
    oldSecretExpires: '以前のクライアントシークレットの有効期限：',
    refusedUris: '次のリダイレクト URI は使えなくなりました。変更してください：',
    unencryptedUris:
      '次のリダイレクト URI は暗号化されていないため、経路上でコードを読み取られるおそれがあります：',
    keepsSecret: 'シークレットの保管',
    deviceGrant: 'デバイス認可グラント',
    registered: '登録日時',
    tryIt: '試す',
    sendsPeopleTo: '利用者を次のアドレスに誘導します：',
    codeVerifier: 'コードの交換には次の code_verifier を使います：',
    back: '開発したアプリの一覧へ戻る',
    edit: '編集',
    editTitle: (name) => `${name} の編集`,
    tokensStay: '発行済みのトークンは変わりません。',
    replaceSecret: 'クライアントシークレットを更新',
    replaceSecretTitle: (name) => `${name} のクライアントシークレットの更新`,
    replaceSecretExplained:
      'トークンはそのまま使えます。現在のものより前のシークレットは、すぐに無効になります。',
    currentSecret: '現在のクライアントシークレット',
    endsNow: 'すぐに無効にする',
    endsIn: (count) => `あと${count}日間使えるようにする`,
    createSecret: '新しいクライアントシークレットを作成',
    endAccess: 'アクセスの停止',
    revokeTokens: 'トークンをすべて取り消す',
    revokeTokensTitle: (name) => `${name} のトークンをすべて取り消しますか？`,
    revokeTokensExplained: (count) =>
      `利用者がもう一度許可するまで、このアプリはどのアカウントにもアクセスできなくなります。現在の利用者は${count}人です。`,
    delete: 'アプリを削除',
    deleteTitle: (name) => `${name} を削除しますか？`,
    deleteExplained: (count) =>
      `クライアント ID、シークレット、トークンはすべてすぐに無効になります。元には戻せません。現在の利用者は${count}人です。`,
    deleteButton: '完全に削除する',
  },

  consent: {
    title: 'アクセスの許可',
    beforeName: '「',
    afterName: '」にアカウントへのアクセスを許可しますか？',
    cannot: 'パスワードは見られず、退会もできません。',
    signedInAs: (username) => `${username} としてログイン中`,
    returnsTo: '許可後の移動先',
    codeToCopy: '表示されるコードを入力',
    appOnDevice: 'この端末のアプリ：',
    mayDo: 'このアプリは次のことができるようになります。',
    noExpiry: 'アクセスの許可に期限はありません。設定からいつでも取り消せます。',
    onlyIfYours: 'あなた自身がアプリで始めた操作でなければ、許可しないでください。',
    allow: '許可する',
    deny: '許可しない',
    code: '認可コード',
    copyCode: 'このコードをアプリに入力してください。10分以内に1回だけ使えます。',
    refusedTitle: 'このアプリにはアクセスを許可できません',
    notOnce: (parameter) =>
      `アプリは ${parameter} を1回だけ送信する必要があります。アプリの開発者にお知らせください。`,
    unknownClient: 'アプリ（client_id）が登録されていないか、削除されています。',
    unknownRedirectUri:
      '戻り先（redirect_uri）が、登録されているものと一致しません。アプリの開発者にお知らせください。',
    oddRedirectUri:
      '戻り先（redirect_uri）は、このサイトでは使えないアドレスです。アプリの開発者にお知らせください。',
    overTitle: 'この確認は終了しています',
    over: '回答済みか、10分以上経過したか、アプリが削除されています。アプリに戻ってやり直してください。',
    changedTitle: 'アプリが変更されました',
    changed: 'アプリの要求が、登録内容と合わなくなりました。アプリに戻ってやり直してください。',
    deniedTitle: 'アクセスは許可されませんでした',
    denied: (type, description) => `エラー（${type}）：${description}`,
    undecidedTitle: '選択されていません',
    undecided: 'decision は approve か deny でなければなりません。',
  },

  device: {
    title: '機器を接続',
    code: '機器に表示されたコード',
    codeHint: 'BCDF-GHJK のような8文字です。',
    question: '機器にアカウントへのアクセスを許可しますか？',
    onlyIfYours:
      '目の前の機器に同じコードが表示されている場合だけ許可してください。誰かから送られてきたコードなら、許可しないでください。',
    allowed: '機器にアクセスを許可しました',
    allowedNext: '数秒後に機器側で自動的に続行されます。',
    denied: '機器にアクセスを許可しませんでした',
    deniedNext: 'このページは閉じてかまいません。',
    unknownCode: 'コードが違うか、使用済みか、10分以上経過しています。',
    tooOften: (wait) => `コードの間違いが続いています。${wait}秒後にもう一度お試しください。`,
  },

  admin: {
    accounts: 'アカウント',
    server: 'このサーバー',
    title: '管理',
    registration: 'アカウントを作成できる人',
    mail: 'メール',
    mailIsOff: '送信しません（--smtp-url が未設定です）',
    mailIsOn: '送信します',
  },

  registrations: {
    closed: '管理者のみ（ほかの人の分も管理者が作成）',
    invite: '招待された人',
    open: '誰でも',
  },

  users: {
    title: 'ユーザー',
    search: '検索',
    none: '該当するユーザーはいません。',
    joined: '登録日',
    status: '状態',
    disabled: '停止中',
    administrator: '管理者',
    user: 'ユーザー',
    previous: '前へ',
    next: '次へ',
    back: 'ユーザー一覧へ戻る',
    own: 'あなた自身のアカウントです',
    ownNotice:
      'これはあなた自身のアカウントです。停止したり管理者から外したりできるのは、ほかの管理者だけです。',
    ownExplained: '停止したり管理者から外したりできるのは、ほかの管理者だけです。',
    lastTitle: '最後の管理者です',
    last: '管理者がいなくなるため、この操作はできません。先にほかの人を管理者にしてください。',
    enable: 'アカウントの停止を解除',
    endAccess: 'アクセスの停止',
    disable: 'アカウントを停止',
    disableTitle: (username) => `${username} のアカウントを停止しますか？`,
    disableExplained:
      'すべてのブラウザーでログアウトされ、トークンもすぐに使えなくなります。停止はあとで解除できます。',
    promote: '管理者にする',
    promoteTitle: (username) => `${username} を管理者にしますか？`,
    promoteExplained: '管理者は、メールアドレスの閲覧、招待、あなたを含むアカウントの停止ができます。',
    demote: '管理者から外す',
    demoteTitle: (username) => `${username} を管理者から外しますか？`,
    demoteExplained:
      'アカウントは残りますが、管理者の権限がなくなります。すべてのブラウザーでログアウトされます。',
    resetPassword: 'パスワード再設定リンクを作成',
    resetPasswordTitle: (username) => `${username} のパスワード再設定`,
    resetPasswordExplained:
      'リンクを開くと新しいパスワードを設定できます。以前に作成したリンクは使えなくなります。',
    createLink: 'リンクを作成',
    resetLink:
      'このリンクを開いた人が新しいパスワードを設定できます。1回だけ、1時間有効で、今しか表示されません。',
  },

  invitations: {
    title: '招待',
    newTitle: '新しい招待',
    count: '作成できるアカウントの数',
    countRule: (most) => `1～${most}の整数を入力してください。`,
    noLimit: '無期限',
    note: 'メモ',
    noteHint: 'ほかの招待と区別するためのものです。管理者だけに表示されます。',
    create: '招待を作成',
    share: 'このリンクを渡してください。今しか表示されません。',
    back: '招待一覧へ戻る',
    closed: 'アカウント作成は停止中です。変更されるまで、招待は使えません。',
    createdBy: '作成者',
    commandLine: 'コマンドライン',
    used: '使用回数',
    left: '残り',
    withdraw: '取り消す',
    withdrawTitle: (name) => `招待 ${name} を取り消しますか？`,
    withdrawExplained:
      'リンクはすぐに使えなくなり、元には戻せません。この招待で作成されたアカウントはそのまま残ります。',
    withdrawButton: '招待を取り消す',
  },

  letters: {
    resetSubject: 'kiroku：新しいパスワードの設定',
    reset: (username, url) => `アカウント ${username} のパスワード再設定のリクエストがありました。

1時間以内に次のページで新しいパスワードを設定してください。
${url}

心当たりがない場合は、このメールを無視してください。パスワードは変わりません。`,
    signUpSubject: 'kiroku：アカウントの作成',
    signUp: (url) => `このメールアドレスでアカウントを作成するリクエストがありました。

1時間以内に次のページで手続きを続けてください。
${url}

心当たりがない場合は、このメールを無視してください。`,
    alreadySubject: 'kiroku：アカウントをお持ちです',
    already: (
      username,
      baseUrl,
    ) => `このメールアドレスでアカウントを作成するリクエストがありましたが、すでにアカウント ${username} で使われています。

ログイン：${baseUrl}/sign_in
パスワードを忘れた場合：${baseUrl}/reset_password

心当たりがない場合は、このメールを無視してください。`,
    emailSubject: 'kiroku：メールアドレスの確認',
    email: (
      username,
      url,
    ) => `アカウント ${username} のメールアドレスをこのアドレスに変更します。${username} でログインした状態で、1時間以内に次のページで確認してください。
${url}

心当たりがない場合は、このメールを無視してください。`,
    addressTakenSubject: 'kiroku：このアドレスは使用中です',
    addressTaken: (
      username,
    ) => `このメールアドレスを別のアカウントで使うリクエストがありましたが、すでにアカウント ${username} で使われているため、変更していません。

心当たりがない場合は、このメールを無視してください。`,
    emailChangedSubject: 'kiroku：メールアドレスが変更されました',
    emailChanged: (
      username,
      baseUrl,
    ) => `${baseUrl} のアカウント ${username} のメールアドレスが変更されました。

心当たりがない場合は、すぐにサイトの管理者に連絡してください。`,
    passwordChangedSubject: 'kiroku：パスワードが変更されました',
    passwordChanged: (
      username,
      baseUrl,
    ) => `${baseUrl} のアカウント ${username} のパスワードが変更されました。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
    twoStepOnSubject: 'kiroku：2段階認証が有効になりました',
    twoStepOn: (
      username,
      baseUrl,
    ) => `${baseUrl} のアカウント ${username} の2段階認証が有効になりました。今後のログインには、パスワードに加えてコードが必要です。

心当たりがない場合は、すぐにサイトの管理者に連絡してください。`,
    twoStepOffSubject: 'kiroku：2段階認証が無効になりました',
    twoStepOff: (
      username,
      baseUrl,
    ) => `${baseUrl} のアカウント ${username} の2段階認証が無効になりました。今後はパスワードだけでログインできます。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
    recoveryCodesSubject: 'kiroku：リカバリーコードが再作成されました',
    recoveryCodes: (
      username,
      baseUrl,
    ) => `${baseUrl} のアカウント ${username} のリカバリーコードが再作成されました。以前のコードは使えません。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
  },
}
