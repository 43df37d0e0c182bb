import { pluralIn, upToThousand } from './plural'

const plural = pluralIn('en')
const ordinal = pluralIn('en', 'ordinal')
const days = (count: number) => `${count} ${plural(count, { one: 'day', other: 'days' })}`
const seconds = (count: number) => `${count} ${plural(count, { one: 'second', other: 'seconds' })}`
const users = (count: number) => `${count} ${plural(count, { one: 'user', other: 'users' })}`
const episodes = (count: number) => `${count} ${plural(count, { one: 'episode', other: 'episodes' })}`
const entries = (count: number) => `${count} ${plural(count, { one: 'entry', other: 'entries' })}`
const nth = (n: number) => `${n}${ordinal(n, { one: 'st', two: 'nd', few: 'rd', other: 'th' })}`

/** `a`, `a or b`, `a, b or c`. Created on first use, to keep the start short. */
const anyOf = (words: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)

type DayAndMonth = readonly [day: number, month: string]

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** `month` is counted from year 0: `April 2025`. */
const monthOfYear = (month: number) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.UTC(Math.floor(month / 12), month % 12),
  )

/** What is copied of a year. */
interface YearText {
  readonly name: string
  readonly figures: { readonly episodes: number; readonly finished: number; readonly hours: number }
  readonly titles: readonly string[]
}

/** `Episode 5` as `5`; names that are not numbers stay. */
const withoutEpisode = (name: string) => lowerFirst(name.replace(/^Episode /, ''))

const several = (count: number, words: { one: string; other: string }) =>
  `${upToThousand(count)} ${plural(count, words)}`

const recordsInWords = (count: number) =>
  `${count.toLocaleString('en')} ${plural(count, { one: 'record', other: 'records' })}`

/** Every other language has the same keys. */
export const en = {
  language: {
    name: 'English',
    /** British: day before month and 24 hours, which are unambiguous. */
    locale: 'en-GB',
    dayAndTime: (day: string, time: string) => `${day} at ${time}`,
    title: 'Language',
    asBrowser: 'Same as the browser',
    use: 'Use this language',
  },

  common: {
    colon: ': ',
    sentences: (sentences: readonly string[]) => sentences.join(' '),
    error: (title: string) => `Error: ${title}`,
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    continue: 'Continue',
    done: 'Done',
    yes: 'Yes',
    no: 'No',
    never: 'Never',
    name: 'Name',
    formerMember: 'Former member',
    scope: 'Scope',
    lastUsed: 'Last used',
    expires: 'Expires',
    validFor: 'Valid for',
    days,
    revoke: 'Revoke',
    registeredBy: 'Registered by',
    checkMail: 'Check your e-mail',
    sendLink: 'Send a link',
    backToSettings: 'Back to settings',
    search: 'Search',
    again: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    all: 'All',
    on: 'On',
    off: 'Off',
    edit: 'Edit',
    delete: 'Delete',
    endAccess: 'End access',
    reload: 'Reload',
    previous: 'Previous',
    next: 'Next',
    view: 'View',
    dot: ' · ',
    comma: ', ',
    /** What separates two sentences. */
    gap: ' ',
  },

  layout: {
    skip: 'Skip to main content',
    about: 'About',
    toHome: 'Go to the home page',
  },

  shell: {
    navigation: 'Main',
    track: 'Track',
    find: 'Find',
    library: 'Library',
    me: 'Me',
    searchHint: 'Title, kana, romaji or URL',
    menuOf: (username: string) => `Menu of ${username}`,
    undo: 'Undo',
    notSaved: 'This was not saved.',
    noAnswer: 'The server cannot be reached or has a problem.',
    showPassword: 'Show',
  },

  /** `clock` is a time such as 23:00 or 24:26. */
  time: {
    tonight: (clock: string) => `tonight ${clock}`,
    today: (clock: string) => `today ${clock}`,
    tomorrow: (clock: string) => `tomorrow ${clock}`,
    yesterday: (clock: string) => `yesterday ${clock}`,
    onWeekday: (weekday: string, clock: string) => `${weekday} ${clock}`,
    onDay: (day: string, clock: string) => `${day}, ${clock}`,
    sinceToday: 'since today',
    sinceYesterday: 'since yesterday',
    since: (day: string) => `since ${day}`,
    unknown: 'date unknown',
  },

  keys: {
    title: 'Keyboard shortcuts',
    inList: 'In a list',
    everywhere: 'Everywhere',
    row: 'next, previous row',
    open: 'open',
    record: 'record the next episode',
    sheet: 'record with a rating or comment',
    upTo: 'up to here, or all that has aired',
    rating: 'rating',
    moveRow: 'move it up or down',
    undo: 'undo, then show the history',
    toUndo: 'to the Undo button; Esc goes back',
    search: 'the search field',
    track: 'track',
    find: 'find',
    library: 'library',
    me: 'me',
    today: 'today',
    list: 'this list',
    close: 'close',
    notInFields: 'They do not work in text fields or while you are composing Japanese.',
    switchOff: 'Turn off keyboard shortcuts',
  },

  channels: {
    title: 'Channels',
    explained:
      'Choose the channels you can watch. Track and broadcast times then show only those; if you choose none, they show all channels.',
    others: 'Others',
    unknownStation: 'TV (station unknown)',
  },

  preferences: {
    look: 'Look and language',
    languageAndTime: 'Language and time',
    display: 'Theme, spoilers, keyboard shortcuts',
    saved: 'Settings saved',
    none: 'None',
    titles: 'Titles',
    native: 'Original',
    romaji: 'Romaji',
    english: 'English',
    timeAndWeek: 'Time and week',
    timeZone: 'Time zone',
    zoneOfBrowser: 'Same as the browser',
    nowThere: (clock: string) => `It is ${clock} there now.`,
    weekStart: 'Week begins',
    monday: 'Monday',
    sunday: 'Sunday',
    saturday: 'Saturday',
    longNights: 'Late night',
    longNightsHint: 'Programmes until 6 in the morning belong to the previous evening.',
    nextDay: '1:05 next day',
    ratings: 'Ratings',
    ratingsHint:
      'How you rate, and how you see the ratings of others. A rating that is only a word stays one.',
    words: 'Words',
    stars: 'Stars',
    ten: 'Out of 10',
    hundred: 'Out of 100',
    theme: 'Theme',
    auto: 'Same as the device',
    light: 'Light',
    dark: 'Dark',
    keysHint: 'Single keys record, search and navigate. They do not work in text fields.',
    guardsSpoilers: 'Spoiler guard',
    guardsSpoilersHint: 'Comments on episodes that you have not recorded stay hidden until you open them.',
  },

  home: {
    title: 'Your anime, episode by episode',
    explained: 'It remembers where you are, what comes next and what you thought of it.',
    logOf: (name: string) => `This is the log of ${name}.`,
    used: (users: number) =>
      plural(users, { one: 'One person uses it.', other: `${users.toLocaleString('en')} people use it.` }),
    oneTap: 'One episode, one tap',
    oneTapText: 'What comes next, and when it airs, is always at the top. Ratings and comments can wait.',
    inSight: 'Tonight at a glance',
    inSightText: 'What you watch, on your channels. Estimated times are marked as such.',
    yours: 'Yours to take away',
    yoursText: 'Import it from MyAnimeList, AniList, Annict and others, and export all of it at any time.',
    tonight: 'Tonight',
    worksOf: (season: string, count: number) =>
      `${season}: ${count.toLocaleString('en')} ${plural(count, { one: 'work', other: 'works' })}`,
    works: 'Works',
    episodes: 'Episodes',
    nextSteps: 'Next steps',
    invite: 'Invite people',
    planSeason: 'Pick what to watch from this season',
    reviewSettings: 'Review your settings',
  },

  about: {
    licence: (version: string) => `kiroku ${version} is free software under the MIT licence.`,
    toData: 'Sources and age of the catalogue',
    data: 'Catalogue data',
    sources: 'The default catalogue is built from these sources, as of these dates:',
    bangumiData: 'works, titles, dates and streams; selected, dated and combined with the ids below',
    arm: 'ids of works at other sites',
    bgmd: 'dates of first broadcast and other titles, as facts',
    searchData: 'episode counts, as facts',
    readings: 'readings of titles, from its dictionary IPADIC; for search only',
    facts: 'facts about the works that Annict lists: ids, medium, season and title',
    relations: 'where a series continues under another title, for episode counts',
    age: (day: string) =>
      `It does not have works announced after ${day}, until a newer version of kiroku or an administrator adds them.`,
    missing:
      'It has no readings, casts, staff or episode titles. If the number of episodes is not known, it is estimated from the broadcast dates. Administrators can add data with this command:',
  },

  apiDocs: {
    title: 'API documentation',
    explained:
      'The REST API is compatible with v1 of Annict: clients made for Annict work once you give them this address. Every endpoint needs an access token, lists are paginated, and fields selects what is returned.',
    baseUrl: 'Base URL:',
    graphql: 'GraphQL, with the same tokens:',
    graphiql: 'To try GraphQL queries (signed in):',
    createToken: 'Create a token:',
    register: 'Register an application:',
    redirectUri: 'Redirect URI for trying the API on this page:',
    errors: 'When a request is refused:',
    forPrograms: 'For programs:',
    tryOut:
      'To try an endpoint, press “Authorize” and paste a token, then open the endpoint and press “Execute”. Anything that Annict does not have is marked as an extension.',
    reference: 'Reference',
    /** A note on the language of the reference, for readers of another one; may be empty. */
    referenceLanguage: '',
    needsScript: 'The reference needs JavaScript. Its source does not:',
  },

  graphiql: {
    title: 'GraphiQL',
    explained:
      'Write GraphQL queries and run them against this instance. The book icon on the left opens the documentation of every type and field.',
    token: 'Access token',
    tokenHint:
      'The read scope is enough for queries; mutations need write. This page keeps the token in memory and forgets it when you leave. Create one here:',
    firstQuery: `# 1. Paste an access token into the field above.
# 2. Press Ctrl-Enter, or the triangle, to run this query:
#    it shows what you are watching.
# Ctrl-Space suggests fields at the cursor.

{
  viewer {
    username
    libraryEntries(states: [WATCHING], first: 5) {
      nodes {
        work {
          title
        }
        nextEpisode {
          numberText
        }
      }
    }
  }
}
`,
    needsToken: 'Paste an access token into the field above the editor first.',
    needsScript: 'GraphiQL needs JavaScript. The API itself does not.',
  },

  apiErrors: {
    title: 'API errors',
  },

  /** By error type of the API. */
  errorTitles: {
    invalid_params: 'The request could not be understood',
    unauthorized: 'You need to sign in',
    forbidden: 'You are not allowed to do this',
    unknown_route: 'There is no page here',
    not_found: 'Not found',
    method_not_allowed: 'This cannot be done here',
    payload_too_large: 'The request is too large',
    rate_limited: 'A little slower, please',
    internal_error: 'Something went wrong here',
    service_unavailable: 'The site is temporarily unavailable',
  },

  problem: {
    unknownRoute: 'There is no page at this address.',
    notFound: 'There is nothing at this address, or it no longer exists.',
    rateLimited: 'You opened too many pages in a short time. Wait a moment, then try again.',
    tooLarge: 'What you sent is too large. Shorten it, then try again.',
    methodNotAllowed: 'This address cannot be opened this way.',
    notYours: 'There is no page at this address, or you may not see it.',
    internal: 'Nothing you recorded is lost. If it happens again, tell an administrator the reference.',
    hiddenWorkTitle: 'This work was removed from the catalogue',
    hiddenWork: 'Your records of it are kept: they stay in your diary and in your exports.',
    signedInAs: (username: string) => `You are signed in as ${username}.`,
    adminsOnlyTitle: 'This page is for administrators',
    adminsOnly: 'Ask an administrator of this instance if you need it.',
    otherAccount: 'Sign in as somebody else',
    back: 'Back to where you were',
    search: 'Search for it',
    wait: 'Time to wait:',
    reference: 'Reference',
    linkTitle: 'This link has expired',
    link: (advice: string) => `It has been used or replaced by a newer one, or it is too old. ${advice}`,
    tooOften: (wait: number) => `Too many attempts. Try again in ${seconds(wait)}.`,
  },

  phone: {
    title: 'This device',
    explained:
      'What you press goes to kiroku as soon as there is a connection, oldest first, whenever kiroku is open. Closing it loses nothing.',
    offline: 'Offline',
    asOf: (time: string) => `as of ${time}`,
    waiting: (count: string) => `${count} waiting to be sent`,
    waits: 'Waiting',
    sentSome: (count: string) => `${count} sent`,
    waitingTitle: 'Waiting to be sent',
    needsYou: (count: number, shown: string) =>
      `${shown} ${plural(count, { one: 'needs', other: 'need' })} your attention`,
    needsTitle: 'Needs your attention',
    signIn: 'Sign in to send them',
    full: '500 presses are waiting on this device. Send them first.',
    online: 'This works once you are online.',
    elsewhere: 'This episode is already recorded. Your comment is still here.',
    addComment: 'Add this comment',
    discard: 'Discard',
    draft: (time: string) => `Draft of ${time}`,
    saved: 'Saved meanwhile:',
    leaving: (count: string) => `${count} waiting to be sent from this device. What should happen to them?`,
    sendNow: 'Send now',
    keepUntil: 'Keep until I am back',
    throwAway: 'Throw away',
    tryNow: 'Try now',
    update: 'Update',
    kept: 'Kept here',
    since: (time: string, size: string) => `Since ${time} · ${size} MB`,
    keptExplained:
      'Track, your library and the next sheets can be read without a connection. They are removed when you sign out, and after 14 days. Browsers on iPhones remove what a page keeps after 7 days without a visit, unless it is installed.',
    clear: 'Remove from this device',
    app: 'As an app',
    install: 'Install kiroku',
    installExplained:
      'In Safari: Share, then “Add to Home Screen”. In Chrome and Edge: the menu, then “Install”. In Firefox on Android: the menu, then “Add to Home screen”.',
    withoutScript: 'Presses are written down before they are sent only if scripts are allowed.',
    offlineTitle: 'No connection',
    offlineExplained: 'This page is not kept on this device. What is kept:',
    again: 'Try again',
  },

  form: {
    check: 'Check what you entered',
    notUnderstood: 'The form could not be understood',
    notText: 'This field must be sent once, as text.',
    emptyFile: 'The file is empty.',
    fileTooLarge: (most: number) => `The file is larger than ${most} MB. Make it smaller and try again.`,
    missing: 'This field is required.',
    tooLong: (limit: number) => `Enter at most ${limit} characters.`,
    tooLongAgo: 'That was more than 90 days ago.',
    notOffered: 'Choose one of the options.',
    busy: 'Many people are signing in right now. Try again in a moment.',
    sentBefore:
      'Nothing new was created: this form was already sent, and what it created cannot be shown again. Send it again to create another.',
    refusedTitle: 'This form was not accepted',
    fromElsewhere: 'It was sent from a page on another site.',
    wrongAddress: (origin: string) =>
      `This site is set up for ${origin}, but you opened it at another address. Open it there, or start kiroku with --base-url and the address you use.`,
    noCookie:
      'Your browser did not send this site’s cookie. Allow cookies, then open the form and send it again.',
    outOfDate: 'You have signed in or out since you opened it. Open the form and send it again.',
  },

  /** One sentence each: the command line shows them on one line. */
  rules: {
    name: 'The name',
    note: 'The note',
    description: 'The description',
    aboutYou: 'The text about you',
    blank: (subject: string) => `${subject} must not be blank.`,
    tooLong: (subject: string, limit: number) => `${subject} must not be longer than ${limit} characters.`,
    controlCharacters: (subject: string) => `${subject} must not contain control characters.`,
    invisibleCharacters: 'The name must not contain invisible characters.',
    siteName: 'The name must not be the name of this site.',
    username: 'The username must be 1 to 20 characters from A-Z, a-z, 0-9 and _.',
    usernameReserved: (username: string) => `The username ${username} is reserved.`,
    usernameTaken: (username: string) => `The username ${username} is already taken.`,
    email: 'The e-mail address must look like alice@example.com.',
    emailTaken: (email: string) => `The e-mail address ${email} is already in use.`,
    webAddress:
      'The address must start with http:// or https://, as in https://example.com/, have at most 500 characters, and contain no user name or password.',
    passwordTooShort: 'The password must have at least 8 characters.',
    passwordTooLong: 'The password must not have more than 1024 bytes.',
    passwordControlCharacters: 'The password must not contain control characters or line breaks.',
    passwordCommon: 'The password must not be one that many people use.',
    passwordOfNames:
      'The password must contain at least 8 characters that are hard to guess, besides the username, the e-mail address and “kiroku”.',
    passkeyName: 'The name',
    mostPasskeys: (most: number) => `An account can have at most ${most} passkeys: remove some first.`,
    mostTokens: (most: number) => `An account can have at most ${most} tokens: revoke some first.`,
    mostHooks: (most: number) =>
      `An account can have at most ${most} addresses for players: revoke some first. Revoked ones count for 30 days.`,
    mostApplications: (most: number) =>
      `An account can have at most ${most} applications: delete some first.`,
    mostWaiting: 'Too many people are waiting for an answer. Try again later.',
    outsideWork: 'episode_offset must lead to episodes that the work has.',
    onlyAdministrator: 'This is the only administrator: make someone else an administrator first.',
  },

  /** `place` counts from 1. */

  /** Each completes a sentence that begins with a name. Outside forms they are shown in English only. */
  observing: {
    timeOrOff: 'must be off or a time such as 100ms or 2s',
    bytesOrOff: 'must be off or an amount such as 100MB or 2GB',
    addressOrOff: 'must be off or an address with a port, such as 127.0.0.1:9464 or [::1]:9464',
  },
  values: {
    required: 'is required',
    text: 'must be text',
    notArray: 'must not be an array',
    notObject: 'must not be an object',
    notFile: 'must not be a file',
    once: 'must be sent once',
    idArray: 'must be an array of integers, or integers separated by commas',
    printable: 'must not contain NUL characters or halves of characters',
    notEmpty: 'must not be empty',
    notBlank: 'must not be blank',
    line: 'must have a visible character, and neither line breaks nor control characters',
    atMost: (max: number) => `must be at most ${max} characters long`,
    notLonger: (limit: number) => `must not be longer than ${limit.toLocaleString('en')} characters`,
    oneOf: (words: readonly string[]) => `must be one of ${words.join(', ')}`,
    either: (words: readonly string[]) => `must be ${anyOf(words)}`,
    wordsOf: (words: readonly string[]) => `must be one or more of ${words.join(', ')}, separated by commas`,
    trueOrFalse: 'must be true or false',
    onOrOff: 'must be on or off, or in a configuration file true or false',
    integerUpTo: (max: number) => `must be an integer from 1 to ${max}`,
    positiveInteger: 'must be a positive integer of at most 15 digits',
    wholeNumber: (least: string, most: string) => `must be a whole number from ${least} to ${most}`,
    countedId: 'must be a positive whole number',
    decimal: (max: number, step: number) => `must be a number from 0 to ${max} in steps of ${step}`,
    slotTime: 'must be a time such as 23:00, or up to 29:59 for the night after, such as 25:30',
    clockTime: 'must be a time such as 23:00',
    timeOfDay: 'must be off or a time such as 04:00',
    rateLimit: 'must be off or a whole number above 0',
    ids: 'must be ids separated by commas',
    mostIds: (most: number) => `must contain at most ${most} ids`,
    longIds: 'must contain ids of at most 15 digits',
    username: 'must be a username of A-Z, a-z, 0-9 and _',
    usernames: 'must be usernames of A-Z, a-z, 0-9 and _, separated by commas',
    fields: 'must be field names of a-z, 0-9 and _, with dots for nested fields, separated by commas',
    season: (form: string) => `must be ${form}, season being winter, spring, summer, autumn or all`,
    seasonName: (form: string) => `must be ${form} with winter, spring, summer, autumn or all`,
    momentInZone: 'must be a time with a time zone, such as 2026-11-24T21:03:00Z',
    moment: 'must be a date and time, such as 2026/04/01 12:00 (UTC if there is no zone), or a date',
    watched:
      'must be a date and time with its zone, such as 2026-04-01T21:00:00+09:00, or a date, such as 2016-03-05, 2016-03 or 2016',
    future: 'must not be in the future',
    partialDate: 'must be a date such as 2016-03-05, 2016-03 or 2016',
    monthOfYear: 'must be a month such as 2025-07, from 1900 on',
    before1900: 'must not be before the year 1900',
    instant: 'must be a time with its zone, such as 2024-01-05T15:30:00Z',
    date: 'must be a date such as 2026-04-01',
    timeZone: 'must be the IANA name of a time zone, such as Asia/Tokyo',
    realDay: 'must be an existing day, YYYY-MM-DD',
    duration: 'must be a time such as 45s, 90m, 12h or 30d',
    interval: 'must be an ISO 8601 duration such as "P7D"',
    host: 'must be a host name or an address',
    httpUrl: 'must be an http or https URL',
    noUser: 'must not contain a user name or password',
    noQuery: 'must not contain a query or fragment',
    issuer:
      'must be the https URL of a provider, or an http URL of this machine, without a query or fragment',
    providerId: 'must be 1 to 20 of a-z, 0-9 and -',
    providerTables: 'must be tables, each beginning with [[oidc]]',
    oidcScopes: 'must be scopes separated by spaces, among them openid',
    groupNames: 'must be names of groups separated by commas, or in a configuration file an array of names',
    groupsClaim: 'must be the name of a claim, or a JSON Pointer such as /realm_access/roles',
    s3Region: 'must be the name of a region, such as eu-central-1',
    smtpUrl: 'must be a URL such as smtp://mail.example:587 or smtps://NAME:PASSWORD@mail.example',
    bothOrNeither: 'must contain both a user name and a password, or neither',
    email: 'must be an e-mail address such as kiroku@example.com',
    namedHosts: 'must be hosts such as ntfy.lan,192.168.1.5:8080',
    networks: 'must be addresses or networks such as 127.0.0.1,10.0.0.0/8',
    contact:
      'must be at most 200 ASCII characters without parentheses and backslashes, not starting with a dash, such as kiroku@example.com',
    prefecture: 'must be the Japanese name of a prefecture, such as 東京都',
    key: 'must be text such as "annict:4168"',
    inObject: 'must be inside an object',
    codeVerifier: 'must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
    codeChallenge: 'must be 43 characters of A-Z a-z 0-9 - _, as produced by S256',
    scope: 'must be read, write or both',
  },

  redirectUri: {
    none: 'Enter at least one redirect URI.',
    most: (most: number) => `Enter at most ${most} redirect URIs.`,
    tooLong: (place: number, limit: number) =>
      `Redirect URI ${place} must not be longer than ${limit} characters.`,
    characters: (place: number) =>
      `Redirect URI ${place} must contain only characters that are allowed in a URI: percent-encode the others.`,
    notAbsolute: (place: number) =>
      `Redirect URI ${place} must be a complete URI that starts with a lower-case scheme, such as https://example.com/callback.`,
    host: (place: number) =>
      `The host of redirect URI ${place} must be an IP address, or contain only A-Z, a-z, 0-9, dots and hyphens.`,
    fragment: (place: number) => `Redirect URI ${place} must not have a fragment (#).`,
    wildcard: (place: number) => `Redirect URI ${place} must not have a wildcard (*): list every URI.`,
    user: (place: number) => `Redirect URI ${place} must not contain a user name or password.`,
    scheme: (place: number) =>
      `Redirect URI ${place} must start with https:, or with a scheme of your own that contains a dot (such as com.example.app).`,
    notEncrypted: (place: number) =>
      `Redirect URI ${place} must start with https:, unless it leads to the same machine (127.0.0.1, [::1] or localhost).`,
  },

  signIn: {
    title: 'Sign in',
    nameOrEmail: 'Username or e-mail address',
    onceConfirmed: 'You can sign in with an e-mail address only once it is confirmed.',
    forgot: 'Forgot your password?',
    byInvitation: 'You need an invitation to create an account.',
    otherAccount: 'Sign in with another account',
    toSave: 'You were signed out before this could be saved. Sign in: what you entered is kept.',
    wrong: 'Incorrect username or password.',
    disabled: 'This account is disabled.',
    waiting: 'Your request to join has not been answered yet.',
    signOut: 'Sign out',
    byLink: (username: string) => `This signs you in as ${username}, once.`,
    newLink: 'Ask whoever runs this site for a new one.',
    passwordsOffTitle: 'Passwords are switched off here',
    passwordsOff: 'Sign in another way. If you cannot, ask whoever runs this site for a sign-in link.',
  },

  passkeys: {
    title: 'Passkeys',
    explained: 'You sign in with face, finger or PIN of this device. There is nothing to leak.',
    signIn: 'Sign in with a passkey',
    confirm: 'Confirm with a passkey',
    useKey: 'Use a passkey or security key',
    add: 'Add a passkey',
    known: 'This device already has a passkey for your account.',
    needScript: 'Passkeys need JavaScript, which is switched off in this browser.',
    refused: 'This passkey was not accepted. Try again, or use another way.',
    notAdded: 'The passkey was not added. Try again; each can be added once.',
    onSeveral: 'on several devices',
    stepOnly: 'second step only',
    madeFor: (host: string) => `made for ${host}, does not work here`,
    added: 'added',
    lastUsed: 'last used',
    name: 'Name',
    nameOf: (name: string) => `Name of “${name}”`,
    saveName: 'Save name',
    remove: 'Remove',
    removeTitle: (name: string) => `Remove the passkey “${name}”`,
    removeExplained:
      'It no longer signs you in, and wherever you signed in with it you are signed out. Your device may keep it; delete it there too.',
    onlyKey:
      'This is the only passkey of your two-step verification. Turn that off for passkeys first, or add another.',
    others: 'Other ways in',
    unavailable: (url: string) =>
      `Browsers allow passkeys only at a name over https, and this site is at ${url}. Whoever runs it can set --base-url to an address such as https://kiroku.example.`,
    elsewhere: 'Browsers allow no passkeys at this address, but at this one of the same server:',
  },

  waysIn: {
    last: 'This is your only way to sign in. Add another one first.',
  },

  signIns: {
    title: 'Sign-ins',
    explained: 'Sign-ins to your account in the last 90 days, and attempts.',
    none: 'None so far.',
    when: 'When',
    how: 'How',
    outcome: 'Outcome',
    passwordWays: {
      alone: 'Password',
      code: 'Password and code',
      passkey: 'Password and passkey',
    },
    withPasskey: (name: string) => `Passkey “${name}”`,
    withLink: 'Sign-in link',
    outcomes: {
      ok: 'Signed in',
      new_browser: 'New browser',
      wrong: 'Wrong password',
      wrong_code: 'Wrong code',
      disabled: 'Account disabled',
    },
    refused: 'Refused',
    newBrowserNote: (browser: string) => `signed in from a browser that was new here, ${browser}.`,
    own: 'That was me',
    notOwn: 'It was not',
  },

  /** What was pressed while signed out. */
  kept: {
    title: 'Not saved yet',
    explained: 'You were signed out when you sent this. Save it now?',
    discard: 'Discard',
  },

  signUp: {
    title: 'Create an account',
    button: 'Create account',
    sent: 'A link to continue is on its way to you. It works for one hour.',
    closedTitle: 'Registration is closed',
    closed: 'Accounts on this site are created by its administrators.',
    invitationTitle: 'You need an invitation',
    invitation: 'To create an account, you need a link from an administrator of this site.',
    newLink: 'Ask for a new one.',
    askTitle: 'Ask to join',
    ask: 'Send request',
    decided: 'An administrator decides who can join. This is what they would like to know:',
    question: 'Why would you like to join?',
    answer: 'Your answer',
    askedTitle: 'Your request has been sent',
    askedByMail: 'You will get an e-mail when an administrator has answered it.',
    askedWithoutMail:
      'An administrator will look at it. Sign in here later with the name and password you chose to see whether it was accepted.',
  },

  setup: {
    title: 'Set up kiroku',
    explained: 'Create the administrator’s account. Administrators can invite people and disable accounts.',
    button: 'Create administrator',
    newLink: 'Until there is an administrator, “kiroku setup-url” prints a new one.',
    waiting: 'This kiroku is waiting to be set up',
    waitingText:
      'Open the set-up link that the server printed when it started. It creates the first account, the administrator’s. To print a link again, run this where the server runs:',
    waitingHint: 'Without the link nobody can take over a new instance.',
  },

  account: {
    username: 'Username',
    usernameHint: '1 to 20 characters: A-Z, a-z, 0-9 and _. Everyone can see it.',
    email: 'E-mail address',
    emailHint: 'Only you and administrators can see it.',
    password: 'Password',
    newPassword: 'New password',
    newPasswordHint:
      'At least 8 characters, ideally 15 or more. Several words are easy to remember and hard to guess.',
    currentPassword: 'Current password',
    yourPassword: 'Your password',
    wrongPassword: 'Incorrect password.',
  },

  settings: {
    title: 'Settings',
    you: 'You',
    signIn: 'Sign-in and security',
    data: 'Your data',
    leave: 'Leaving?',
  },

  profile: {
    title: 'Profile',
    username: (username: string) => `Your username is ${username}. Everyone can see what you enter here.`,
    about: 'About you',
    website: 'Your website',
    websiteHint: 'An address that starts with https://',
  },

  privacy: {
    title: 'Privacy',
    profile: 'Who sees your profile',
    profiles: { public: 'Public', members: 'Members', private: 'Private' },
    membersHint: 'Everyone with an account here',
    privateHint: 'Only followers whom you accepted. Others see your name and picture.',
    onlyMe: 'Only me',
    share: 'Share',
    commentsFrom: 'Who may comment on what you write',
    commenters: { everyone: 'Everyone', following: 'Whom I follow', nobody: 'Nobody' },
    byDefault: 'New entries only for me',
    byDefaultHint:
      'Nobody else sees new records, reviews and statuses, unless an application says otherwise for one of them. Earlier ones stay as they are.',
    ifPrivate: (records: number, followers: number) =>
      `If you choose Private, ${records === 0 ? 'everything' : `your ${recordsInWords(records)} and everything else`} you share will be seen by ${
        followers === 0
          ? 'nobody else until you accept a follower'
          : `your ${followers.toLocaleString('en')} ${plural(followers, { one: 'follower', other: 'followers' })} only`
      }.`,
    ifMembers: (records: number, requests: number) =>
      `If you choose Members, all members will see ${records === 0 ? 'everything' : `your ${recordsInWords(records)} and everything else`} that is not marked as only for you.${
        requests === 0
          ? ''
          : ` ${requests.toLocaleString('en')} ${plural(requests, { one: 'person who asked to follow you becomes a follower', other: 'people who asked to follow you become followers' })}.`
      }`,
    publicHint:
      'Also people without an account: your profile, library and diary, and what you write about works and episodes. Where the instance shows visitors nothing, the same as Members.',
    ifPublic: 'If you choose Public, people without an account will see your profile, too.',
    ifMembersOnly: 'If you choose Members, people without an account will no longer see your profile.',
    listed: 'In the directory of members',
    listedHint: 'Members also find you by your exact name without it. A private profile is never in it.',
    indexable: 'Search engines may show my public profile',
    indexableHint: 'Only for a public profile.',
    requests: 'Follow requests',
    requestsHint: 'A decline tells nobody, and holds for 30 days.',
    accept: 'Accept',
    decline: 'Decline',
    leftOut: 'Blocked and muted',
    leftOutHint:
      'Who is blocked sees nothing of you, nor you of them. Who is muted is in no list of yours, and does not notice.',
    leftOutAs: 'State',
    isBlocked: 'Blocked',
    isMuted: 'Muted',
    unblock: 'Unblock',
    unmute: 'Unmute',
    older: 'Older',
  },

  pictures: {
    coverTitle: (work: string) => `Cover of ${work}`,
    sharedTitle: (work: string) => `Cover of ${work} for everyone`,
    avatarTitle: 'Your picture',
    own: 'Only you see the cover that you upload here.',
    shared: 'Everyone sees the cover that you upload here, except users who have uploaded their own.',
    avatarExplained: 'It is shown beside your name, where everyone can see it.',
    toShared: 'Upload one for everyone',
    toOwn: 'Upload one for yourself',
    picture: 'Picture',
    limits:
      'JPEG up to 20 million pixels; PNG, WebP, GIF or progressive JPEG up to 10 million; at most 5 MB. Location, time and camera data are removed.',
    coverCropped: 'Covers have a ratio of 2:3; the picture is cropped to its middle.',
    avatarCropped: 'The picture is cropped to a square from its middle.',
    upload: 'Upload',
    remove: 'Remove this picture',
    former: 'Previous picture',
    formerKept: 'It is kept for 30 days in case you want it back.',
    restore: 'Use it again',
    forget: 'Delete it now',
    notPicture: 'This is not a JPEG, PNG, WebP or GIF picture.',
    tooManyPixels:
      'The picture has too many pixels: JPEG may have 20 million, PNG, WebP, GIF and progressive JPEG 10 million. Make it smaller and try again.',
    tooDetailed: 'The picture has too much fine detail to be stored. Choose another one.',
    damaged: 'The picture is damaged or incomplete.',
    tooSmall: 'The picture is too small. It must be at least 64 pixels wide and high.',
    tooMany: (most: number) => `You already have ${most} pictures. Remove one first.`,
    tooLarge: (most: number) =>
      `Your pictures, including the previous ones, already take up ${most} MB. Remove some first.`,
    busy: 'Many pictures are being processed right now. Try again in a moment.',
  },

  email: {
    confirmed: 'You can sign in with this address.',
    unconfirmed: 'This address is not confirmed. Sign in with your username.',
    sent: 'A link is on its way to the new address. To change your address, open the link in this browser within an hour.',
    change: 'Change address',
    use: 'Use this address',
    newLink: 'Ask for a new one in your settings.',
  },

  password: {
    signsOutElsewhere: 'Changing your password signs you out everywhere else.',
    revokeTokens: 'Revoke all access tokens too',
    revokeTokensHint:
      'Choose this if someone else may have used your account. You will have to reconnect every application.',
    change: 'Change password',
    changed: 'Your password has been changed',
    none: 'Your account has no password.',
    set: 'Set a password',
    remove: 'Remove password',
    removeExplained:
      'You then sign in with your passkeys or connected sign-ins alone. This signs you out wherever you came in with the password. You can set one again later.',
  },

  resetPassword: {
    title: 'Reset your password',
    explained: 'A link to choose a new password will be sent to the e-mail address of your account.',
    noMail: 'This site does not send e-mail. Ask an administrator for a link to choose a new password.',
    forAdministrators: 'Administrators can create one under “Users”, or with this command:',
    sent: 'If the account exists and its e-mail address is confirmed, a link is on its way. It works for one hour.',
    choose: 'Choose a new password',
    signsOut: 'This signs you out everywhere.',
    button: 'Set password',
    newLink: 'Ask for a new one under “Forgot your password?”.',
    removeOthers: 'Remove my passkeys and connected sign-ins too',
    removeOthersHint: 'Choose this if someone else may have added one.',
  },

  sessions: {
    title: 'Where you are signed in',
    browser: 'Browser',
    unknownBrowser: 'Unknown browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    address: 'IP address',
    signedIn: 'Signed in',
    thisOne: 'This browser',
    others: 'Other browsers',
    othersHint: 'If you do not recognise one of these browsers, sign out everywhere else.',
    signOutOthers: 'Sign out everywhere else',
  },

  twoStep: {
    title: 'Two-step verification',
    isOff:
      'Two-step verification is off. When it is on, your password alone is not enough: you also need a code from an app, or a passkey or security key.',
    app: 'An app',
    appExplained: 'It shows a new code every 30 seconds.',
    keys: 'A passkey or security key',
    keysExplained: 'You touch it after typing your password.',
    useKeys: 'Use a passkey or security key',
    keysOn: 'Passkeys serve as second step.',
    keysOff: 'Stop using passkeys',
    keysOffExplained:
      'Passkeys will no longer be asked for after your password. If there is no app either, two-step verification is off.',

    required: 'This site requires two-step verification.',
    requiredFirst: 'This site requires two-step verification. Turn it on to continue.',
    setUp: 'Set up',
    setUpTitle: 'Set up two-step verification',
    scan: 'Scan this with an authenticator app on your phone, or type the key into the app.',
    qrCode: 'QR code of the key below',
    key: 'Key',
    codeInApp: 'Code shown in the app',
    turnOn: 'Turn on two-step verification',
    onSince: 'On since',
    code: 'Code',
    codeHint: 'The 6-digit code from your authenticator app, or a recovery code.',
    wrongCode: 'This code is wrong or has already been used. Each code works once.',
    turnOffTitle: 'Turn off two-step verification',
    passwordAlone: 'You will then sign in with only your password.',
    signOutOthersHint: 'Choose this if someone else may have used your account.',
    turnOff: 'Turn off',
  },

  recoveryCodes: {
    title: 'Your recovery codes',
    left: 'Recovery codes left',
    explained: 'A recovery code lets you sign in once when you do not have your phone with you.',
    keep: 'Print them, or keep them in a safe place apart from your phone. Each one lets you sign in once instead of a code. They are shown only once, and replace all earlier ones.',
    renew: 'Create new recovery codes',
    renewTitle: 'New recovery codes',
    renewExplained:
      'New codes replace all the codes you have, which stop working immediately. Enter your password or a code to continue.',
    orCode: 'Or a code',
    proofMissing: 'Enter your password or a code.',
  },

  confirm: {
    title: 'Confirm it’s you',
    signedInAs: (username: string) => `You are signed in as ${username}.`,
    toContinue: 'Confirm it’s you to continue.',
    toChangeEmail: 'Confirm it’s you to change your e-mail address.',
    toRenewCodes: 'Confirm it’s you to create new recovery codes.',
    toTurnOffTwoStep: 'Confirm it’s you to turn off two-step verification.',
    toManageTwoStep: 'Confirm it’s you to manage two-step verification.',
    toManageProviders: 'Confirm it’s you to change your connected sign-ins.',
    toManagePasskeys: 'Confirm it’s you to manage your passkeys.',
    toRemovePasskey: 'Confirm it’s you to remove a passkey.',
    toSeeSignIns: 'Confirm it’s you to see the sign-ins to your account.',
    toSetPassword: 'Confirm it’s you to set a password.',
    toRemovePassword: 'Confirm it’s you to remove your password.',
    toDeleteAccount: 'Confirm it’s you to delete your account.',
    noWay: 'This account has no way to confirm that. Ask whoever runs this site for a sign-in link.',
    toSeeSessions: 'Confirm it’s you to see where you are signed in.',
    toDownloadData: 'Confirm it’s you to download your data.',
    toCreateToken: 'Confirm it’s you to create a personal access token.',
    toReplaceSecret: 'Confirm it’s you to replace the client secret of your application.',
    toCreateResetLink: 'Confirm it’s you to create a password reset link.',
    toManageUsers: 'Confirm it’s you to manage users.',
    toManageInvitations: 'Confirm it’s you to manage invitations.',
    toChangeCover: 'Confirm it’s you to change the cover for everyone.',
    toAdminister: 'Confirm it’s you to use the administration.',
  },

  exports: {
    title: 'Export your data',
    explained: 'Your data is yours: keep a copy, or take your list to another service. Nothing changes here.',
    others: 'In other formats',
    download: 'Download',
    leftOut: (works: number) =>
      `${works.toLocaleString('en')} ${plural(works, { one: 'work does', other: 'works do' })} not fit.`,
    whichOnes: 'Which ones?',
    all: {
      name: 'Everything as a zip',
      hint: 'All the files below, and lists of what some of them leave out.',
    },
    kiroku: {
      name: 'kiroku (JSON)',
      hint: 'Everything that is stored about you: your profile, records, reviews, statuses, notes, activities, favourites, channels, the people you follow and mute, your followers, likes, notifications, imports, applications, tokens (without their secrets), sessions and invitations. Another kiroku can import your library from it.',
    },
    mal: {
      name: 'MyAnimeList (XML)',
      hint: 'Your list in MyAnimeList’s format, which AniList, Kitsu, Shikimori, Simkl and Yamtrack can also import.',
    },
    yamtrack: { name: 'Yamtrack (CSV)', hint: 'Your list with scores, dates and reviews, for Yamtrack.' },
    simkl: { name: 'Simkl (CSV)', hint: 'Your list with scores and reviews, for Simkl.' },
    csv: { name: 'Records (CSV)', hint: 'One line for each recorded episode, for a spreadsheet.' },
  },

  deleteAccount: {
    title: 'Delete your account',
    explained:
      'This cannot be undone. Your profile, records, reviews, statuses, likes, follows, favourites, applications and tokens will be deleted, and your applications will stop working for everyone.',
    keptComments: 'If you keep your comments and reviews, they are shown as those of a deleted user.',
    what: 'What to delete',
    everything: 'Everything',
    keepComments: 'Everything except my comments and reviews, which stay without my name',
    downloadFirst: 'Download your data first',
    typeUsername: 'Your username, to be sure',
    wrongUsername: 'This is not your username.',
    button: 'Delete my account',
    doneTitle: 'Your account has been deleted',
    done: 'Its contents are now being removed. This can take a minute.',
  },

  scopes: {
    read: 'Read',
    readHint:
      'See your profile, e-mail address, records, reviews, statuses, follows and notifications. Changes nothing.',
    readWrite: 'Read and write',
    readWriteHint:
      'See all of that, create, change and delete records, reviews and statuses, and follow, like and mute on your behalf.',
    write: 'Write',
    writeHint: 'Only create, change and delete, without seeing your data. For programs that only record.',
  },

  /** For consent pages, by scope. */
  mayDo: {
    read: 'See your profile, e-mail address, records, reviews, statuses, the people you follow, and your notifications',
    write:
      'Create, change and delete records, reviews and statuses, and follow, like and mute on your behalf',
  },

  tokens: {
    title: 'Personal access tokens',
    explained: 'A personal access token lets your own programs use the API on your behalf.',
    none: 'You have no tokens yet.',
    description: 'Description',
    descriptionHint: 'What the token is for. Helps you tell your tokens apart.',
    created: 'Created',
    expired: ' (expired)',
    newTitle: 'New token',
    untilRevoked: 'Until you revoke it',
    aYear: '1 year',
    create: 'Create token',
    longAgo: 'It has been a while since you signed in.',
    confirmFirst: 'Confirm it’s you to create a token',
    createdTitle: 'Your new token',
    copyNow: 'Copy it now. You will not be able to see it again.',
    back: 'Back to your tokens',
    revokeTitle: (description: string) => `Revoke the token “${description}”?`,
    revokeExplained:
      'Programs that use it stop working immediately. This cannot be undone, but you can create a new token.',
    revokeButton: 'Revoke token',
  },

  providers: {
    title: 'Connected sign-ins',
    explained:
      'Sign in here with an account that you have elsewhere. Your password, if you have one, goes on working.',
    none: 'None is set up on this site.',
    or: 'or',
    continueWith: (name: string) => `Continue with ${name}`,
    otherWays: 'Other ways to sign in',
    connect: 'Connect',
    disconnect: 'Disconnect',
    notConnected: 'Not connected',
    gone: 'No longer set up on this site',
    as: (name: string) => `as ${name}`,
    since: 'Connected',
    newTitle: 'Choose a username',
    newExplained: (name: string) =>
      `You are new here. ${name} says who you are; this is what people here will call you.`,
    create: 'Create account',
    haveAccount: 'I have an account: sign in and connect',
    signedOutTitle: 'Signed out',
    signedOut: (name: string) =>
      `You are signed out here. ${name} may still know you: on a shared device, sign out there too.`,
    signOutThere: (name: string) => `Sign out at ${name}`,
    signInAgain: 'Sign in again',
    problems: {
      attempt: {
        title: (_name: string) => 'This sign-in is no longer valid',
        text: (name: string) =>
          `It took more than ten minutes, was used already, or began in another browser. Begin again, and come back from ${name} in the same browser.`,
      },
      answer: {
        title: (name: string) => `${name} gave an answer that cannot be trusted`,
        text: (_name: string) =>
          'You are not signed in, and nothing was changed. Try again; if it happens again, tell whoever runs this site the number below.',
      },
      stale: {
        title: (name: string) => `${name} did not ask who you are`,
        text: (name: string) =>
          `To confirm it’s you, sign in at ${name} once more when it asks. Try again, or confirm it another way.`,
      },
      denied: {
        title: (_name: string) => 'You cancelled',
        text: (name: string) => `Nothing was changed. Continue with ${name} again, or choose another way.`,
      },
      group: {
        title: (_name: string) => 'Your account may not come in here',
        text: (name: string) =>
          `At ${name} you are in none of the groups that may use this site. Ask whoever runs it to add you.`,
      },
      unknown: {
        title: (_name: string) => 'There is no account for you here',
        text: (name: string) =>
          `If you have one, sign in another way and connect it with ${name} in the settings. Otherwise ask whoever runs this site for an invitation.`,
      },
      disabled: {
        title: (_name: string) => 'This account is disabled',
        text: (_name: string) => 'Ask whoever runs this site.',
      },
      other: {
        title: (_name: string) => 'That was somebody else',
        text: (name: string) =>
          `At ${name} you are signed in with an account that is not connected with this one. Sign out there, and confirm again.`,
      },
      taken: {
        title: (_name: string) => 'This could not be connected',
        text: (name: string) =>
          `The account at ${name} is connected here already. Disconnect it there first, or sign in at ${name} with another one.`,
      },
      unreachable: {
        title: (name: string) => `${name} does not answer`,
        text: (_name: string) =>
          'Try again in a while, or choose another way. Your account here is as it was.',
      },
    },
  },

  connected: {
    title: 'Connected applications',
    none: 'No application is connected to your account.',
    application: 'Application',
    since: 'Connected',
    revokeTitle: (name: string) => `Revoke the access of ${name}?`,
    revokeExplained: 'It loses access to your account on all your devices until you allow it again.',
    revokeButton: 'Revoke access',
  },

  applications: {
    title: 'Applications you registered',
    explained: 'An application asks people for access, then uses the API on their behalf.',
    users: 'Users',
    register: 'Register an application',
    registerButton: 'Register',
    nameHint: 'Shown to people when the application asks for access.',
    redirectUris: 'Redirect URIs',
    redirectUrisHint: (outOfBand: string) => `One per line. ${outOfBand} shows the code for people to copy.`,
    widestScope: 'Widest scope it may ask for',
    canKeepSecret: 'Can keep a client secret',
    canKeepSecretHint:
      'Turn on for programs on a server. Turn off for applications that people install, or that run in a browser. You cannot change this later.',
    onDevices: 'Works on devices without a browser',
    onDevicesHint: 'Allows the device authorization grant: people enter a short code on another device.',
    sendIssuer: 'Send iss (RFC 9207)',
    sendIssuerHint:
      'Adds the issuer, the address of this site, to the redirect. Turn on only if your client verifies it: some sign-in libraries, such as Auth.js, reject an iss that they do not expect.',
    credentials: 'Your application’s credentials',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    copySecretNow: 'Copy the client secret now. You will not be able to see it again.',
    toApplication: 'Go to the application',
    oldSecretExpires: 'The old client secret expires:',
    refusedUris: 'These redirect URIs are no longer allowed. Change them:',
    unencryptedUris: 'These redirect URIs are not encrypted, so others on the network can read the codes:',
    keepsSecret: 'Keeps a client secret',
    deviceGrant: 'Device authorization grant',
    issuer: 'iss in the redirect',
    registered: 'Registered',
    tryIt: 'Try it',
    sendsPeopleTo: 'It sends people here:',
    codeVerifier: 'Exchange the code with this code_verifier:',
    back: 'Back to your applications',
    editTitle: (name: string) => `Edit ${name}`,
    tokensStay: 'Tokens that it already has are not affected.',
    replaceSecret: 'Replace the client secret',
    replaceSecretTitle: (name: string) => `Replace the client secret of ${name}`,
    replaceSecretExplained:
      'Tokens stay valid. A secret older than the current one stops working immediately.',
    currentSecret: 'Current client secret',
    endsNow: 'Stops working immediately',
    endsIn: (count: number) => `Works for ${count} more ${plural(count, { one: 'day', other: 'days' })}`,
    createSecret: 'Create new client secret',
    revokeTokens: 'Revoke all tokens',
    revokeTokensTitle: (name: string) => `Revoke all tokens of ${name}?`,
    revokeTokensExplained: (count: number) =>
      `It loses access to everyone’s account until they allow it again. It has ${users(count)} now.`,
    delete: 'Delete application',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplained: (count: number) =>
      `Its client ID, its client secret and all its tokens stop working immediately. This cannot be undone. It has ${users(count)} now.`,
    deleteButton: 'Delete permanently',
  },

  consent: {
    title: 'Allow access',
    beforeName: 'Allow “',
    afterName: '” access to your account?',
    cannot: 'It cannot see your password or delete your account.',
    signedInAs: (username: string) => `Signed in as ${username}.`,
    returnsTo: 'Returns you to',
    codeToCopy: 'a code for you to copy',
    appOnDevice: 'an application on this device:',
    mayDo: 'It will be able to:',
    noExpiry: 'Access does not expire. You can revoke it in your settings at any time.',
    onlyIfYours: 'Allow this only if you started it yourself in the application.',
    allow: 'Allow',
    deny: 'Deny',
    code: 'Authorization code',
    copyCode: 'Copy this code into the application. It works once, within ten minutes.',
    refusedTitle: 'This application cannot be given access',
    notOnce: (parameter: string) =>
      `The application that sent you here must send ${parameter} exactly once. Please tell its developer.`,
    unknownClient: 'The application that sent you here (client_id) is not registered, or was deleted.',
    unknownRedirectUri:
      'The address to return to (redirect_uri) is not one that the application registered. Please tell its developer.',
    oddRedirectUri:
      'The address to return to (redirect_uri) is not allowed on this site. Please tell the developer of the application.',
    overTitle: 'This request has expired',
    over: 'It has already been answered, is more than ten minutes old, or the application was deleted. Go back to the application and start again.',
    changedTitle: 'The application has changed',
    changed:
      'What it asked for no longer matches its registration. Go back to the application and start again.',
    deniedTitle: 'Access was denied',
    denied: (type: string, description: string) => `Error ${type}: ${description}`,
    undecidedTitle: 'You did not choose',
    undecided: 'The decision must be approve or deny.',
  },

  device: {
    title: 'Connect a device',
    code: 'Code shown on the device',
    codeHint: 'Eight letters, such as BCDF-GHJK.',
    question: 'Allow a device to access your account?',
    onlyIfYours:
      'Allow this only if a device in front of you shows exactly this code. If someone sent you the code, choose “Deny”.',
    allowed: 'The device is connected',
    allowedNext: 'It continues by itself in a few seconds.',
    denied: 'The device was not connected',
    deniedNext: 'You can close this page.',
    unknownCode: 'This code is wrong, has already been used, or is more than ten minutes old.',
    tooOften: (wait: number) => `Too many wrong codes. Try again in ${seconds(wait)}.`,
  },

  admin: {
    title: 'Administration',
    tabs: {
      health: 'Health',
      users: 'Users',
      reports: 'Reports',
      invitations: 'Invitations',
      catalogue: 'Catalogue',
      instance: 'Instance',
    },
    allFine: 'Everything is fine',
    toLookAt: (count: number) =>
      plural(count, { one: 'One thing needs a look', other: `${count} things need a look` }),
    restIsFine: 'everything else is fine',
    fine: 'OK',
    look: 'Check',
    database: 'Database',
    room: (size: string, free: string) => `${size}, ${free} free`,
    sourcesOn: (count: number) => (count === 0 ? 'None is on' : `${count} on, none failed`),
    seeRun: 'See the run',
    mailWaits: (count: number) => `On, ${count} waiting to be sent`,
    version: 'Version',
    backups: 'Backups',
    daily: 'daily',
    everyHours: (hours: number) => `every ${hours} h`,
    verified: 'read back and compared',
    backupOld:
      'Without a backup from the last two nights, what was recorded since the last one could be lost.',
    backUpNow: 'To make one now:',
    sizes: (count: number, largest: string) => `The sizes of the last ${count} backups, at most ${largest}`,
    nameHint: 'Shown on the front page, when signing in, and below letters. At most 40 characters.',
    aboutInstance: 'A few words about it, for the front page',
    registration: 'Who can create an account',
    joinQuestion: 'Question for people who ask to join',
    joinQuestionHint: 'Used with --registration approve. If it is empty: “Why would you like to join?”',
    mail: 'E-mail',
    mailIsOff: 'Off (--smtp-url is not set)',
    mailIsOn: 'On',
  },

  /** `/admin/catalogue`, the question on first start, and what `/about/data` says about outside contacts. */
  catalogue: {
    title: 'Catalogue',
    entry: 'Age, sources and updates',
    bySeason: 'Works by season',
    defaultCatalogue: 'Default catalogue',
    defaultStates: {
      none: 'Not loaded',
      older: 'From an older version of kiroku; the server loads the new one',
      current: 'From this version of kiroku',
    },
    upTo: (day: string) => `works announced until ${day}`,
    works: 'Works',
    episodes: 'Episodes',
    estimated: 'Estimated episodes',
    people: 'People',
    sources: 'Sources',
    sourcesExplained:
      'A source is contacted only while it is on, or by a command. Its data stays when you turn it off.',
    latestRuns: 'Latest runs',
    noRuns: 'No source has run yet.',
    check: 'Needs attention',
    missingIds: 'Works without ids',
    twins: 'Possible duplicates',
    source: 'Source',
    state: 'State',
    byCommand: 'By command',
    lastRun: 'Last run',
    nextRun: 'Next run',
    notYet: 'Not yet',
    hasToken: 'Token is set',
    noToken: 'Token is not set',
    hasLocation: 'Location is set',
    noLocation: 'Location is not set',
    failures: (count: string) => `${count} failed in a row`,
    licence: 'Licence',
    home: 'About',
    contacts: 'Contacts',
    ownLocation: 'Only its configured location',
    howOften: 'How often',
    every: (count: number) => ({ 1: 'Every day', 7: 'Every week' })[count] ?? `Every ${days(count)}`,
    commandOnly: 'Never by itself, only by command',
    sent: 'Data sent',
    location: 'Location',
    token: 'Token',
    switchOn: 'Turn on',
    switchOff: 'Turn off',
    switchOffHead: 'Stop contacting it',
    switchOffTitle: (title: string) => `Turn off ${title}?`,
    switchOffExplained:
      'It will not be contacted again, and its token is deleted here. Its data stays in the catalogue.',
    setToken: 'Set a token and turn on',
    changeToken: 'Replace the token',
    tokenTitle: (title: string) => `Token for ${title}`,
    tokenExplained: 'Your own token, with read access. It is stored on this server and never shown again.',
    tokenRule: 'Must be printable characters without spaces, at most 500',
    setLocation: 'Set the location and turn on',
    changeLocation: 'Change the location',
    locationTitle: (title: string) => `Location of ${title}`,
    locationHint: 'An https address. To use a folder or file on the server, run this command:',
    locationRule: 'Must be an https address without a user or password',
    lookNow: 'Update now',
    dryRun: 'Dry run',
    dryRunExplained: 'A dry run queries the source and shows what would change, without changing anything.',
    byCommandExplained: 'This source runs by a command on the server:',
    busy: 'A source is already running',
    busyExplained: 'Only one source runs at a time. Wait until the current run has ended.',
    offTitle: 'This source is off',
    offExplained: 'Turn it on first.',
    running: (title: string) => `${title} is running`,
    runningExplained: 'You can leave this page; the run continues.',
    waiting: 'Starts in a few seconds',
    requests: (figure: string, count: number, bytes: string) =>
      `${figure} ${plural(count, { one: 'request', other: 'requests' })}, ${bytes}`,
    details: 'Details',
    runs: 'Runs',
    runTitle: (title: string) => `Run of ${title}`,
    started: 'Started',
    ended: 'Ended',
    cause: 'Started by',
    causes: { schedule: 'The schedule', command: 'A command', page: 'These pages' },
    result: 'Result',
    outcomes: {
      done: 'Catalogue updated',
      unchanged: 'Nothing new',
      unreachable: 'Could not be reached',
      not_understood: 'Its answer was not understood',
      held_back: 'Held back, because too much would have changed',
      refused: 'Its data was refused',
      failed: 'Failed',
    },
    inProgress: 'In progress',
    interrupted: 'Interrupted: the next run continues it',
    dryDone: 'Dry run: nothing was changed',
    asked: 'Asked',
    notModified: (count: string) => `${count} not modified`,
    why: 'Why',
    changes: 'Most visible changes',
    changesMore: (count: string) => `${count} changes in all. These are in the works with the most watchers.`,
    noChanges: 'No existing work has changed.',
    work: 'Work',
    field: 'Field',
    before: 'Before',
    after: 'After',
    nothing: 'nothing',
    counts: 'Imported data',
    kind: 'Kind',
    countNames: {
      created: 'New',
      updated: 'Changed',
      unchanged: 'Unchanged',
      deleted: 'Hidden',
      merged: 'Merged',
      unresolved: 'Unresolved',
      conflict: 'In conflict',
    },
    leftAlone: 'Left alone',
    leftAloneExplained: 'Fields whose value was set by a source of a higher rank, or by an administrator.',
    owner: 'Owner',
    number: 'Number',
    warnings: 'Warnings',
    problems: 'Problems',
    line: (line: number, message: string) => `Line ${line}: ${message}`,
    missingExplained:
      'Works with watchers or from recent seasons that have no id at Annict or MyAnimeList. Imported lists can match these only by title. Sources such as Wikidata and Annict add ids, and so can a catalogue file.',
    missingNone: 'Every work with watchers or from a recent season has its ids.',
    missing: 'Missing',
    watchers: 'Watchers',
    twinsExplained:
      'Works with the same title, year and medium are usually one work from two sources. To merge them, save the two lines as a file and import it on the server:',
    twinsNone: 'No two works have the same title, year and medium.',
    twinsKept: 'Kept',
    twinsMerged: 'Merged into it',
    twinsFile: 'merge.jsonl',
    year: 'Medium and year',

    question: {
      title: 'Look for new works automatically?',
      explained:
        'The built-in catalogue ends with the date of this version of kiroku. Your server can keep it up to date by querying these sites from time to time:',
      hosts: (hosts: string, often: string) => `${hosts} (${lowerFirst(often)})`,
      sends:
        'They learn the address of your server and which works or days it requests, but never who uses it. Nothing is contacted unless you say yes.',
      lacks: ({
        works,
        uncounted,
        latest,
        undated,
      }: Record<'works' | 'uncounted' | 'latest' | 'undated', number>) => {
        const [all, some] = [works, uncounted].map((count) => count.toLocaleString('en'))
        const dates =
          undated === 0 ? '' : `, and ${undated} of the ${latest} of this season have no broadcast times`
        return `Of ${all} TV series, ${some} have no episode count${dates}.`
      },
      which: 'Which sites would be contacted?',
      no: 'No, do not contact any site',
      noHint: 'kiroku also works without internet access.',
      yes: 'Yes, keep the catalogue up to date',
      yesHint: 'The first update starts in 10 to 30 minutes.',
      later: 'You can change this at any time under Administration, Catalogue.',
    },

    about: {
      contactsTitle: 'Sites that kiroku can contact',
      contactsExplained:
        'A new instance contacts no other site. An administrator can turn on these sources of catalogue data. They never receive any other data:',
      others: 'In addition, kiroku contacts only what someone here has configured or requested:',
      annictImport: (host: string) =>
        `${host}: when a member imports their list from Annict with their own token; receives that token and requests for the list`,
      pictures:
        'official sites of works: if the server runs with --fetch-images, to find a picture of the work; at most once in 30 days per work',
      mail: 'the mail server of --smtp-url: e-mail to members',
      bucket: 'the storage of --s3-endpoint: backups',
      commands: 'an address that an administrator gives to a command: catalogue import, import',
    },

    sourceTexts: {
      kiroku: {
        brings: 'A newer version of the default catalogue: works, ids, dates, estimated episodes',
        sends: 'Requests for two files; the version is compared on this server',
        attribution: 'CC BY 4.0 and MIT, as stated in the pack, which names its authors',
      },
      syobocal: {
        brings: 'Broadcasts in Japan, subtitles of episodes, readings, staff, cast, channels',
        sends: 'The requested days and ids of works',
        attribution: 'Broadcast data of しょぼいカレンダー, which programs may copy freely',
      },
      annict: {
        brings: 'Works of the current seasons, ids, readings, episodes, staff, cast, series',
        sends:
          'The administrator’s own token, the seasons, and the Annict ids of works that members here keep',
        attribution: 'For personal use with a personal token; never part of a published file',
      },
      wikidata: {
        brings: 'Ids at other sites, readings, official sites, other titles',
        sends: 'One fixed query per property, the same for everyone',
        attribution: 'CC0 1.0, by the contributors of Wikidata',
      },
      'bangumi-data': {
        brings: 'The newest works, titles, dates, streams and ids, between two versions of kiroku',
        sends: 'Requests for two published files',
        attribution: 'bangumi-data: CC BY 4.0, changed; arm: MIT, © P-Chan',
      },
      madb: {
        brings: 'Readings, cast and staff of older works',
        sends: 'A request for the file at the location',
        attribution: 'メディア芸術データベース, Agency for Cultural Affairs, Japan; changed',
      },
      'anime-offline-database': {
        brings: 'Missing ids, other titles and episode counts of existing works',
        sends: 'A request for the file at the location',
        attribution:
          'Contains information from anime-offline-database, which is made available under the ODbL 1.0; exports of the catalogue leave it out by default',
      },
      'bangumi-archive': {
        brings: 'Chinese titles, episode counts, relations',
        sends: 'Requests for two published files',
        attribution: 'No licence is stated: only for use within this instance',
      },
    },
  },

  /** The nightly check of the database. */
  damage: {
    none: 'Has not run yet',
    outcomes: {
      ok: 'No damage was found',
      unsound: 'Some data is inconsistent. Run: kiroku doctor',
      damage: 'The database is damaged. Run: kiroku doctor',
    },
  },

  backups: {
    title: 'Last backup',
    verified: 'Last verified',
    none: 'None yet',
    isOff: 'Not made by the server (--backup-every off)',
    failed: 'The last attempt failed; see the log for the reason',
    every: 'must be off or a time such as 12h, 24h or 7d',
    keepRule: 'must be numbers with h, d, w, m or y, each once, such as 24h,7d,4w,12m',
  },

  /** By the value of `--registration`. */
  registrations: {
    closed: 'Administrators, for other people',
    invite: 'People with an invitation',
    approve: 'People whose request an administrator accepts, or with an invitation',
    open: 'Anyone',
  },

  users: {
    title: 'Users',
    none: 'No users found.',
    joined: 'Joined',
    status: 'Status',
    disabled: 'Suspended',
    administrator: 'Administrator',
    back: 'Back to all users',
    user: 'User',
    member: 'Member',
    role: 'Role',
    active: 'Active',
    records: 'Records',
    lastSeen: 'Last seen',
    search: 'Name or e-mail',
    kinds: { administrators: 'Administrators', suspended: 'Suspended' },
    invitedBy: 'Invited by',
    invited: 'Invited',
    andOthers: (count: number) => plural(count, { one: 'and one other', other: `and ${count} others` }),
    menuOf: (username: string) => `What to do with ${username}`,
    disableUser: (username: string) => `Suspend ${username}`,
    own: 'This is your own account',
    ownNotice:
      'This is your own account. Only another administrator can suspend it or remove its administrator role.',
    ownExplained: 'Only another administrator can suspend it or remove its administrator role.',
    lastTitle: 'This is the last administrator',
    last: 'The site needs at least one administrator. Make someone else an administrator first.',
    enable: 'End the suspension',
    disable: 'Suspend account',
    disableTitle: (username: string) => `Suspend the account of ${username}?`,
    disableExplained:
      'It is signed out everywhere and its tokens stop working immediately. Nothing is deleted, and the log can undo it.',
    hidesAll: 'Also hide everything that was written',
    hidesAllExplained: 'Nobody sees records, reviews, comments and the profile until the suspension ends.',
    promote: 'Make administrator',
    promoteTitle: (username: string) => `Make ${username} an administrator?`,
    promoteExplained:
      'Administrators can see e-mail addresses, invite people and suspend accounts, including yours.',
    demote: 'Remove administrator role',
    demoteTitle: (username: string) => `Remove the administrator role from ${username}?`,
    demoteExplained: 'The account stays, without administrator rights. It is signed out everywhere.',
    resetPassword: 'Create a password reset link',
    resetPasswordTitle: (username: string) => `Reset the password of ${username}`,
    resetPasswordExplained:
      'Create a link that lets someone choose a new password. Earlier links stop working immediately.',
    createLink: 'Create link',
    resetLink:
      'Anyone who opens this link can choose a new password. It works once, for one hour, and is shown only now.',
  },

  /** What members report to the administrators, and `/admin/reports`. */
  reports: {
    report: (username: string) => `Report ${username}…`,
    title: 'Report to the administrators',
    back: 'Back',
    explained:
      'The administrators read this copy, even of a private profile, and your name. The person you report does not learn of it.',
    reason: 'What is wrong with it?',
    reasons: { spam: 'Spam', harassment: 'Harassment', spoiler: 'Spoiler', other: 'Something else' },
    hints: {
      spam: 'Advertising, or the same text again and again',
      harassment: 'Insults, threats, or private details of somebody',
      spoiler: 'Tells what happens later',
      other: 'Please say what below',
    },
    text: 'What should the administrators know? (optional)',
    send: 'Send report',
    sent: 'Thank you. The administrators will look at it.',
    tooMany: 'You can send 20 reports a day. Your text stays here: try again later.',
    states: { open: 'Open', closed: 'Closed', log: 'Log' },
    none: { open: 'Nothing has been reported.', closed: 'No report has been closed yet.' },
    profile: 'Profile',
    record: (id: number) => `Record ${id}`,
    review: (id: number) => `Review ${id}`,
    comment: (id: number) => `Comment ${id}`,
    by: (username: string) => `reported by ${username}`,
    earlier: (count: number) =>
      plural(count, { one: 'one earlier report', other: `${count} earlier reports` }),
    dismiss: 'Dismiss',
    hide: 'Hide',
    hideTitle: 'Hide this from everybody else?',
    hideExplained: (username: string) =>
      `Only ${username} sees it from then on, with your reason. Nothing is deleted, and the log can undo it.`,
    hideReason: 'Reason',
    hideReasonHint: 'Whoever wrote it reads this.',
    goneTitle: 'There is nothing left to hide',
    gone: 'It was deleted or hidden in the meantime. You can dismiss the report.',
    hiddenHere: 'Only you see this: an administrator has hidden it',
    hiddenBy: (username: string) => `hidden by ${username}`,
    suspendedBy: (username: string) => `suspended by ${username}`,
    suspendedAndHiddenBy: (username: string) =>
      `suspended by ${username}, and everything that was written is hidden`,
    commandLine: 'the command line',
    undo: 'Undo',
    undoneBy: (username: string) => `undone by ${username}`,
    logIsEmpty: 'No administrator has hidden anything or suspended anybody.',
    outcomes: { dismissed: 'Dismissed', hidden: 'Hidden', suspended: 'Suspended' },
  },

  /** `/notifications` */
  notifications: {
    readAll: 'Mark all as read',
    isNew: 'New',
    unread: 'new',
    older: 'Older',
    nothing: 'Nothing new',
    nothingExplained: 'Likes, comments, followers and new episodes are shown here.',
    asks: ' asks to follow you',
    followed: ' follows you',
    accepted: ' accepted your request to follow',
    liked: (others: number, what: string) =>
      `${others === 0 ? '' : ` and ${plural(others, { one: '1 other', other: `${others} others` })}`} liked what you wrote on ${what}`,
    commented: (what: string, body: string) => ` commented on what you wrote on ${what}: “${body}”`,
    commentedToo: (what: string, body: string) => ` commented, too, on ${what}: “${body}”`,
    reported: 'Something was reported to the administrators',
    episodeOf: (title: string, episode: string) => `${title}, ${lowerFirst(episode)}`,
  },

  /** `/meetings/7`: dates to watch together (D79). */
  meeting: {
    link: 'Watch together',
    plan: 'Watch together',
    title: (episodes: string) => `${episodes}, together`,
    range: (from: string, last: string) => `${from}–${last}`,
    episodes: (count: number) => plural(count, { one: '1 episode', other: `${count} episodes` }),
    from: 'Episode',
    howMany: 'How many',
    day: 'Day',
    where: 'Where (optional)',
    text: 'Anything else? (optional)',
    forWhom: 'Who can come',
    whom: { named: 'Those you ask', all: 'All members' },
    ask: 'Whom do you ask? (optional)',
    askHint:
      'Usernames, with spaces between them. They are told now and an hour before. At most 30 people, you included.',
    invite: 'Set the date',
    already: 'Already planned:',
    failed: 'The date was not saved',
    past: 'The time must be in the future.',
    far: 'The time must be at most 400 days ahead.',
    tooManyDates: (most: number) =>
      `You can have ${most} dates to come. Cancelled ones count until their time.`,
    tooManyPeople: (most: number) => `At most ${most} people can come, you included.`,
    tooFewEpisodes: 'The work has fewer episodes from there on.',
    nobody: (username: string) => `There is nobody called ${username} whom you can ask.`,
    month: (month: string, weekday: string) => `${weekday}, ${month}`,
    menu: 'Change or cancel this date',
    change: 'Change the date',
    cancel: 'Cancel the date',
    cancelTitle: 'Cancel this date?',
    cancelExplained: 'Those who come are told. What was said here stays.',
    cancelled: 'cancelled',
    isCancelled: 'This date was cancelled.',
    answer: 'Do you come?',
    answers: { in: 'In', maybe: 'Maybe', out: 'Out', asked: 'Asked' },
    marksToo: 'Mark it for me too',
    marksHint: (episodes: string) =>
      `When somebody presses “We watched it”, ${lowerFirst(episodes)} is recorded for you. You can undo that.`,
    done: 'We watched it',
    you: 'you',
    records: (episodes: string, people: string) =>
      `Records ${lowerFirst(episodes)} for ${people}, who agreed to it.`,
    asks: (people: string) => `To be asked in a notification: ${people}.`,
    watched: 'Watched together',
    again: (at: string) => `Same again, next episode: ${at}`,
    next: 'The next date',
    people: 'In',
    count: (coming: number, maybe: number) =>
      maybe === 0 ? String(coming) : `${coming}, and ${maybe} maybe`,
    host: 'host',
    upTo: (episode: string) => `seen up to ${lowerFirst(episode)}`,
    marked: 'marked too',
    talk: 'Talk',
    folded: (count: number) =>
      `${plural(count, { one: '1 line', other: `${count} lines` })} after the episode, open once you have recorded it`,
    back: 'Back to the date',
    answered: 'Your answer is saved',
    full: 'There are 30 people already, which is the most there can be.',
    closed: 'This date was cancelled or watched in the meantime.',
    saidDone: 'Recorded for all who agreed to it',
    saidBefore: 'Somebody has pressed it before.',
    early: 'It has not begun yet.',
    apart: 'Only those who are in can press it.',
    told: {
      asked: (what: string) => ` asks you to watch ${what} together`,
      moved: (what: string) => ` moved the date to watch ${what} together`,
      cancelled: (what: string) => ` cancelled the date to watch ${what} together`,
      soon: (what: string) => `Begins soon: ${what}, together`,
      watched: (what: string) => ` and others watched ${what}. Did you, too?`,
    },
    onTrack: 'Watching together',
    toAnswer: 'Not answered yet',
  },

  /** `/records/501`, `/reviews/31`: what members wrote under it. */
  thread: {
    title: 'Comments',
    of: (username: string, title: string) => `${username} on ${title}`,
    link: (count: number) =>
      count === 0 ? 'Comment' : plural(count, { one: '1 comment', other: `${count} comments` }),
    earlier: 'Earlier comments',
    newest: 'Newest comments',
    write: 'Write a comment',
    send: 'Send',
    whoReads: {
      record: 'Everybody who can see this record can read it.',
      review: 'Everybody who can see this review can read it.',
      meeting: 'Everybody who can see this date can read it.',
    },
    closed: (username: string) => `${username} takes no comments from you.`,
    signIn: 'Sign in to comment',
    closedNow: 'Comments from you are no longer taken here.',
    full: 'There are 500 comments here, which is the most there can be.',
    often: 'You have written 30 comments within an hour. Your text stays here: try again later.',
    failed: 'The comment was not sent',
    delete: (username: string) => `Delete the comment by ${username}`,
    menuOf: (username: string) => `More for the comment by ${username}`,
    guarded: {
      record: 'This is about an episode that you have not recorded',
      review: 'This is about a work that you have not watched',
    },
    guardedHint: {
      record: 'Text and comments open when you have recorded it.',
      review: 'Text and comments open when you have watched it.',
    },
  },

  /** `/admin/users?state=waiting`: people who ask to join. */
  joining: {
    waiting: 'Waiting',
    none: 'Nobody is waiting.',
    tellThem: 'E-mail is off, so they see your decision only when they try to sign in.',
    confirmed: 'confirmed',
    notConfirmed: 'not confirmed',
    accept: 'Accept',
    decline: 'Decline',
    declineTitle: (username: string) => `Decline the request of ${username}?`,
    declineExplained:
      'The request is deleted, and they are told by e-mail if their address is confirmed. They can ask again.',
    declineButton: 'Decline request',
  },

  invitations: {
    newTitle: 'New invitation',
    invite: 'Invite',
    count: 'Number of accounts',
    countRule: (most: number) => `Enter a whole number from 1 to ${most}.`,
    noLimit: 'No time limit',
    note: 'Note',
    noteHint: 'Helps you tell invitations apart. Only administrators can see it.',
    create: 'Create invitation',
    share: 'Share this link. It is shown only once.',
    back: 'Back to invitations',
    closed: 'Registration is closed: no invitation works until you open it.',
    createdBy: 'Created by',
    commandLine: 'Command line',
    used: 'Used',
    left: 'Left',
    withdraw: 'Withdraw',
    withdrawTitle: (name: string) => `Withdraw the invitation ${name}?`,
    withdrawExplained:
      'Its link stops working immediately, and this cannot be undone. Accounts that were created with it stay.',
    withdrawButton: 'Withdraw invitation',
  },

  letters: {
    resetSubject: 'kiroku: reset your password',
    reset: (
      username: string,
      url: string,
    ) => `Someone, most likely you, asked to reset the password of the account ${username}.

Open this link within an hour to choose a new password:
${url}

If this was not you, ignore this message. The password stays the same.`,
    signUpSubject: 'kiroku: create your account',
    signUp: (url: string) => `Someone, most likely you, wants to create an account with this e-mail address.

Open this link within an hour to continue:
${url}

If this was not you, ignore this message.`,
    joinRequestedSubject: 'kiroku: someone asks to join',
    joinRequested: (
      username: string,
      baseUrl: string,
    ) => `Someone would like to join ${baseUrl}. As ${username}, you can read the request and accept or decline it:
${baseUrl}/admin/users?state=waiting

You get at most one such message a day.`,
    joinAcceptedSubject: 'kiroku: welcome',
    joinAccepted: (
      username: string,
      baseUrl: string,
    ) => `Your request to join ${baseUrl} was accepted. You can now sign in as ${username}:
${baseUrl}/sign_in`,
    joinDeclinedSubject: 'kiroku: your request to join',
    joinDeclined: (username: string, baseUrl: string) =>
      `Your request to join ${baseUrl} as ${username} was declined. What you entered has been deleted.`,
    alreadySubject: 'kiroku: you already have an account',
    already: (
      username: string,
      baseUrl: string,
    ) => `Someone, most likely you, tried to create an account with this e-mail address. It already has one: ${username}

Sign in: ${baseUrl}/sign_in
Forgot your password: ${baseUrl}/reset_password

If this was not you, ignore this message.`,
    emailSubject: 'kiroku: confirm this e-mail address',
    email: (
      username: string,
      url: string,
    ) => `The account ${username} is about to use this e-mail address. To confirm it, sign in as ${username} and open this link within an hour:
${url}

If you did not ask for this, ignore this message.`,
    addressTakenSubject: 'kiroku: this e-mail address is already in use',
    addressTaken: (
      username: string,
    ) => `Someone, most likely you, tried to use this e-mail address for another account. It belongs to the account ${username}, so nothing was changed.

If this was not you, ignore this message.`,
    emailChangedSubject: 'kiroku: your e-mail address was changed',
    emailChanged: (
      username: string,
      baseUrl: string,
    ) => `The e-mail address of the account ${username} at ${baseUrl} was changed.

If this was not you, contact the administrator of the site immediately.`,
    identityConnectedSubject: 'kiroku: another way to sign in was connected',
    identityConnected: (
      username: string,
      baseUrl: string,
      provider: string,
    ) => `The account ${username} at ${baseUrl} was connected with ${provider}, which can now be used to sign in.

If this was not you, disconnect it at ${baseUrl}/settings/providers and contact the administrator of the site.`,
    identityDisconnectedSubject: 'kiroku: a way to sign in was disconnected',
    identityDisconnected: (
      username: string,
      baseUrl: string,
      provider: string,
    ) => `The account ${username} at ${baseUrl} is no longer connected with ${provider}.

If this was not you, contact the administrator of the site immediately.`,
    passwordChangedSubject: 'kiroku: your password was changed',
    passwordChanged: (
      username: string,
      baseUrl: string,
    ) => `The password of the account ${username} at ${baseUrl} was changed.

If this was not you, choose a new one at ${baseUrl}/reset_password and contact the administrator of the site.`,
    passwordRemovedSubject: 'kiroku: your password was removed',
    passwordRemoved: (
      username: string,
      baseUrl: string,
    ) => `The password of the account ${username} at ${baseUrl} was removed. You sign in with your passkeys or connected sign-ins alone.

If this was not you, choose a new one at ${baseUrl}/reset_password and contact the administrator of the site.`,
    passkeyAddedSubject: 'kiroku: a passkey was added',
    passkeyAdded: (
      username: string,
      baseUrl: string,
      passkey: string,
    ) => `The passkey “${passkey}” was added to the account ${username} at ${baseUrl}, and can be used to sign in.

If this was not you, remove it at ${baseUrl}/settings/passkeys and contact the administrator of the site.`,
    passkeyRemovedSubject: 'kiroku: a passkey was removed',
    passkeyRemoved: (
      username: string,
      baseUrl: string,
      passkey: string,
    ) => `The passkey “${passkey}” of the account ${username} at ${baseUrl} was removed.

If this was not you, see ${baseUrl}/settings/sign_ins and contact the administrator of the site.`,
    passkeyCopiedSubject: 'kiroku: a passkey may have been copied',
    passkeyCopied: (
      username: string,
      baseUrl: string,
      passkey: string,
    ) => `Somebody tried to sign in to the account ${username} at ${baseUrl} with a copy of the passkey “${passkey}”, and was refused: its counter did not grow.

Remove this passkey at ${baseUrl}/settings/passkeys and add a new one.`,
    twoStepOnSubject: 'kiroku: two-step verification was turned on',
    twoStepOn: (
      username: string,
      baseUrl: string,
    ) => `Two-step verification was turned on for the account ${username} at ${baseUrl}. Signing in now requires a code too.

If this was not you, contact the administrator of the site immediately.`,
    twoStepOffSubject: 'kiroku: two-step verification was turned off',
    twoStepOff: (
      username: string,
      baseUrl: string,
    ) => `Two-step verification was turned off for the account ${username} at ${baseUrl}. The password alone is now enough to sign in.

If this was not you, choose a new password at ${baseUrl}/reset_password and contact the administrator of the site.`,
    recoveryCodesSubject: 'kiroku: your recovery codes were replaced',
    recoveryCodes: (
      username: string,
      baseUrl: string,
    ) => `New recovery codes were created for the account ${username} at ${baseUrl}. The old ones no longer work.

If this was not you, choose a new password at ${baseUrl}/reset_password and contact the administrator of the site.`,
  },

  /** Statuses of works, by the API's names (D36). */
  statuses: {
    wanna_watch: 'Plan to watch',
    watching: 'Watching',
    watched: 'Watched',
    on_hold: 'On hold',
    stop_watching: 'Dropped',
    choose: 'Set a status',
    remove: 'Remove the status',
    of: (title: string) => `Status of ${title}`,
    setTo: (title: string, status: string) => `${title}: ${status}`,
  },

  ratings: {
    title: 'Rating',
    bad: 'Bad',
    average: 'OK',
    good: 'Good',
    great: 'Great',
    choose: 'Rate',
    of: (title: string) => `your rating of ${title}`,
    remove: 'Remove the rating',
    none: 'No rating',
    exactly: 'exactly',
    points: (most: number) => `of ${most}`,
    ofFive: (stars: string) => `${stars} of 5`,
    save: 'Save',
    exactTen: 'must be a number from 0.1 to 10, such as 8.5.',
    exactHundred: 'must be a whole number from 1 to 100.',
  },

  media: {
    tv: 'TV',
    ova: 'OVA',
    movie: 'Film',
    web: 'Web',
    other: 'Other',
  },

  seasons: {
    of: (year: number, season: string) => `${season} ${year}`,
    year: (year: number) => String(year),
    names: { winter: 'Winter', spring: 'Spring', summer: 'Summer', autumn: 'Autumn' },
    title: (year: number, season: string) => `${season} ${year}`,
    which: 'Season',
    others: 'More',
    now: 'This season',
    whole: (year: number) => `All of ${year}`,
    filter: 'Filters',
    unchosen: 'Not in my library',
    grid: 'Covers',
    list: 'List',
    byTitle: 'Title',
    start: 'Starts',
    watchers: 'Watchers',
    status: 'Status',
    noWorks: 'Nothing is listed for this season',
    noWorksExplained: 'The catalogue has no works that start in this season, or does not have them yet.',
    noneLeft: 'Nothing matches these filters',
    noneLeftExplained: 'The season has other works.',
    clear: 'Clear the filters',
  },

  firstRun: {
    title: 'Pick what you’re watching',
    explained: 'Popular series from the last four seasons. Tap one to add it; you can change that any time.',
    importList: 'Or import a list you keep elsewhere.',
    search: 'Find others',
    none: 'Nothing picked yet',
    chosen: (count: number) => `${count} picked`,
    skip: 'Skip',
    start: 'Start',
    nothing: 'There is nothing to pick from yet',
    nothingExplained:
      'The catalogue has no series from the last four seasons. A new instance takes a moment to load it; then reload this page.',
  },

  work: {
    next: (episode: string) => `Next: ${episode.toLowerCase()}`,
    sheet: 'Rate or comment',
    unknownTime: 'No broadcast is listed',
    estimated: 'estimated',
    recordedOf: (seen: number, all: number) => `${seen} of ${episodes(all)} recorded`,
    recordedSome: (seen: number) => `${episodes(seen)} recorded`,
    caughtUp: 'You are caught up',
    finished: (episodes: number) =>
      `You have watched ${episodes === 1 ? 'the only episode' : `all ${episodes} episodes`}`,
    again: 'Watch again',
    forMembers: 'Sign in to record what you watch.',
    menuOf: (title: string) => `More for ${title}`,
    note: 'Private note',
    notePrivate: 'Only you can read this',
    writeNote: 'Write a private note',
    editNote: 'Edit the note',
    changeCover: 'Change the cover',
    changeSharedCover: 'Change the cover for everyone',
    whenSeen: 'When did you watch it?',
    seenAgain: (times: number) =>
      `You have watched it ${times === 1 ? 'once' : `${times} times`}. Watched it again?`,
    logAgain: (n: number) => `Record a ${nth(n)} viewing`,
    logOf: (title: string) => `Record a viewing of ${title}`,
    log: 'Watched it',
    logName: (title: string) => `Watched it: ${title}`,
    logOnceMore: 'Watched again',
    logOnceMoreName: (title: string) => `Watched again: ${title}`,
    oneViewing:
      'Record a viewing, with a date, a rating and a comment if you like. Choosing a rating saves it.',
    now: 'Today',
    pickDate: 'Pick a date',
    dateHint: 'As precisely as you know: 2019, 201903 or 20190305',
    addComment: 'Add a comment',
    editViewing: 'Edit the viewing',
    editReview: 'Edit the review',
    noDate: 'No date',
    logViewing: 'Record this viewing',
    ownViewings: 'Your viewings and reviews',
    nthViewing: nth,
    where: 'Where to watch',
    episodesOf: episodes,
    aboutEpisodesOf: (count: number) => `about ${episodes(count)}`,
    atLeastEpisodesOf: (count: number) => `${count}+ episodes`,
    peopleHere: 'People here',
    series: 'Series, in order',
    moreOfSeries: (works: number) => `${works} more ${plural(works, { one: 'work', other: 'works' })}`,
    facts: 'Facts and links',
    medium: 'Medium',
    seasonTitle: 'Season',
    episodeCount: (episodes: number) => String(episodes),
    released: 'Released',
    aired: 'First aired',
    watchers: 'Watchers',
    people: (count: number) => `${count} ${plural(count, { one: 'person', other: 'people' })}`,
    links: 'Links',
    officialSite: 'Official site',
    opinions: 'Records and reviews',
    whole: 'Whole work',
    readOn: 'Read more',
    guarded: (count: number) =>
      count === 1
        ? '1 comment is about something you have not watched'
        : `${count} comments are about things you have not watched`,
    guardedHint: (count: number) =>
      `${plural(count, { one: 'It is', other: 'They are' })} shown once you have recorded what you watched.`,
    showSpoilers: 'Show now',
  },

  strip: {
    title: 'Episodes',
    episode: (number: string) => `Episode ${number}`,
    shortEpisode: (number: string) => `Ep. ${number}`,
    unnumbered: 'Special episode',
    range: (first: string, last: string) => `${first}–${last}`,
    about: (count: number) => `about ${count} · estimated`,
    lap: (lap: number) => (lap === 1 ? 'First viewing' : `Rewatch ${lap - 1}`),
    kinds: { seen: 'watched', skipped: 'skipped', next: 'next', aired: '', waiting: 'not aired yet' },
    withComment: 'with your comment',
    pages: 'Pages of episodes',
    earlier: 'Earlier:',
    later: 'Later:',
    hint: 'Press a number to record up to it, skip it or open its page.',
    atLeast: (count: number) => `${count}+`,
    seenUpTo: 'Watched up to episode',
    recordThese: 'Record',
    add: 'Add one more episode',
    addFirst: 'Add episode 1',
    unlisted: 'No episodes are listed yet. Does it have episodes?',
    record: (episode: string) => `Record ${episode.toLowerCase()}`,
    /** `words` is the label of the button. */
    recordOf: (title: string, words: string) => `${words} of ${title}`,
    upTo: (first: string, last: string, count: number) =>
      `Record ${episodes(count)}: ${withoutEpisode(first)} to ${withoutEpisode(last)}`,
    only: (episode: string) => `${episode} only`,
    skip: (episode: string) => `Skip ${episode.toLowerCase()}`,
    open: (episode: string) => `About ${episode.toLowerCase()}`,
  },

  episode: {
    skip: 'Skip',
    editRecord: 'Edit the record',
    noRating: 'No rating',
    own: 'Your records',
    recorded: 'Recorded',
    ownRecord: 'your record',
    recordOf: (lap: string) => `your record (${lap.toLowerCase()})`,
    recordNext: (episode: string) => `Next: record ${episode.toLowerCase()}`,
    neighbours: 'Other episodes',
    previous: 'Previous',
    next: 'Next',
    records: 'Records',
    counts: (records: number, comments: number) =>
      `${records} ${plural(records, { one: 'record', other: 'records' })}, ${comments} with a comment`,
    nobody: 'Nobody here has recorded this episode yet.',
    fewRatings: (ratings: number) =>
      `${ratings} ${plural(ratings, { one: 'rating', other: 'ratings' })} so far; a chart appears from five on.`,
    guarded: (count: number) =>
      `${count} ${plural(count, { one: 'hidden comment', other: 'hidden comments' })}`,
    guardedHint: (count: number) =>
      `${plural(count, { one: 'It is', other: 'They are' })} shown once you have recorded this episode.`,
    older: 'Older comments',
    all: 'All comments',
    delete: (what: string) => `Delete: ${what}`,
    menuOf: (what: string) => `More for ${what}`,
    opinionMenu: (username: string) => `More for what ${username} wrote`,
    like: (username: string, likes: number) =>
      `Like what ${username} wrote, ${likes} ${plural(likes, { one: 'like', other: 'likes' })}`,
  },

  /** What was just done, shown on the next page. */
  acts: {
    recorded: (episode: string) => `Recorded ${lowerFirst(episode)}`,
    recordedUpTo: (episode: string, count: number) =>
      `Recorded ${episodes(count)}, up to ${lowerFirst(episode)}`,
    played: (title: string, episode: string, count: number) =>
      count > 1 || episode === ''
        ? `Played: ${title}${count > 1 ? `, ${episodes(count)}` : ''}`
        : `Played: ${title}, ${lowerFirst(episode)}`,
    skipped: (episode: string) => `Skipped ${lowerFirst(episode)}`,
    someEpisodes: (count: number) => (count === 1 ? 'An episode' : `${count} episodes`),
    episodeAdded: (episode: string) => `Added ${lowerFirst(episode)}`,
    recordEdited: (episode: string) => `Changed the record of ${lowerFirst(episode)}`,
    recordDeleted: (episode: string) => `Deleted the record of ${lowerFirst(episode)}`,
    statusSet: (title: string, status: string) => `${title}: ${status}`,
    statusesSet: (works: number, status: string) => `${works} works: ${status}`,
    marked: (title: string, works: number) => `${works > 1 ? `${works} works` : title}: only me`,
    shared: (title: string, works: number) => `${works > 1 ? `${works} works` : title}: shared`,
    statusRemoved: (title: string) => `Removed the status of ${title}`,
    viewed: (title: string) => `Recorded ${title}`,
    viewingEdited: (title: string) => `Changed the viewing of ${title}`,
    viewingDeleted: (title: string) => `Deleted the viewing of ${title}`,
    ratedMany: (works: number) => `Rated ${works} works`,
    rated: (title: string) => `Changed your rating of ${title}`,
    lapStarted: (title: string) => `Watching ${title} again`,
    noteWritten: (title: string) => `Saved your note on ${title}`,
    commented: (title: string) => `Commented on ${title}`,
    commentDeleted: (title: string) => `Deleted a comment on ${title}`,
    favouriteAdded: (title: string) => `Made ${title} a favourite`,
    favouriteRemoved: (title: string) => `Removed ${title} from your favourites`,
    somebodyGone: 'somebody who has left',
    favouriteMoved: (title: string) => `Moved ${title} among your favourites`,
    undone: 'Undone',
    of: (act: string, title: string) => `${act} of ${title}`,
    blocked: (act: string) => `Something later depends on this. Undo it first: “${act}”`,
    undoFirst: 'Undo that first',
    written_first: 'An app has changed this since. Undo that first, under “History and undo”.',
    blockedByApp: (by: string, what: string) => `${by} has changed this since. Undo that first: “${what}”`,
    reviewed: (title: string) => `Reviewed ${title}`,
    import_first: 'A later import changed this or builds on it. Undo the import first.',
    toImport: 'Open the import',
    changed: 'This has changed since, so it stays as it is. Change it on its own page instead.',
    used: 'An app or another person has recorded this since, so it stays. Delete what the app recorded first.',
    unchanged: 'It was already like that, so nothing changed',
    not_recorded_yet: 'The last episode is still to be recorded, so none was added',
    expired: 'This is older than 30 days, so it cannot be undone',
    recorded_before: 'This episode is already recorded; here is the next one',
    status_newer: 'The status was changed since, so it stays as it is',
    none_aired: 'No more episodes have aired yet',
    favourites_full: 'You have ten favourites already. Remove one first.',
    slotChanged: (title: string) => `Changed your broadcast time of ${title}`,
    pastRecorded: (title: string, count: number) =>
      count === 1
        ? `Recorded ${title}, date unknown`
        : `Recorded ${episodes(count)} of ${title}, dates unknown`,
    pastRecordedMany: (count: number) => `Recorded ${count} episodes and films`,
    offerPast: (count: number, isAll: boolean) =>
      `Record ${isAll ? 'all' : 'the other'} ${count} (date unknown)`,
    offerPastFilm: 'Record it (date unknown)',
    offerWatched: 'Set to Watched',
    listDid: {
      made: (list: string) => `Made the list “${list}”`,
      edited: (list: string) => `Changed the list “${list}”`,
      deleted: (list: string) => `Deleted the list “${list}”`,
      added: (list: string, title: string) => `Added ${title} to “${list}”`,
      removed: (list: string, title: string) => `Removed ${title} from “${list}”`,
      moved: (list: string, title: string) => `Moved ${title} in “${list}”`,
      noted: (list: string, title: string) =>
        title === '' ? `List “${list}”` : `Changed ${title} in “${list}”`,
    },
    listAddedMany: (works: number, list: string) => `Added ${works} works to “${list}”`,
    listRemovedMany: (works: number, list: string) => `Removed ${works} works from “${list}”`,
    listGone: 'a deleted list',
  },

  lists: {
    title: 'Lists',
    make: 'New list',
    makeShort: 'Make',
    edit: 'Edit list',
    name: 'Name',
    text: 'What it is about',
    whoSees: 'Who sees it',
    visibility: { public: 'Everyone', members: 'Members', private: 'Only me' },
    ordered: 'Ordered',
    newName: 'Name of a new list',
    addTo: 'Add to list',
    addToThis: (list: string) => `Add to “${list}”`,
    isAt: (nth: number) => `there, at ${nth}`,
    works: (count: number) => `${count} ${plural(count, { one: 'work', other: 'works' })}`,
    seen: (seen: number, works: number) => `${seen} / ${works} watched`,
    unseen: 'Not watched',
    allSeen: 'You have watched all of them',
    by: (name: string) => `List by ${name}`,
    updated: (day: string) => `changed on ${day}`,
    between: ' · ',
    copy: 'Copy to my lists',
    copyOwn: 'Copy',
    delete: (list: string) => `Delete “${list}”`,
    menuOf: (name: string) => `More: ${name}`,
    nothing: 'No lists yet',
    nothingExplained: 'Make a list of works to recommend, to watch again or to watch with friends.',
    suggestions: ['Recommended', 'To watch again', 'To watch with friends'],
    empty: 'Nothing in this list yet',
    find: 'Find a work to add: title, reading, URL',
    hidden: 'No longer in the catalogue; only you see it here.',
    nameAndWho: 'Name, text and who sees it',
    up: (work: string) => `Move up: ${work}`,
    down: (work: string) => `Move down: ${work}`,
    writeNote: 'Write a note',
    note: 'Note',
    place: 'Place',
    move: 'Move there',
    noPlace: (most: number) => `must be up, down, top, bottom or a place from 1 to ${most}`,
    remove: 'Remove from the list',
    savedAtOnce: 'Each change is saved at once',
    chosen: 'Add the chosen ones to a list',
    fullLists: (most: number) => `You have ${most} lists already, and there can be no more.`,
    fullWorks: (most: number) => `A list can have at most ${most.toLocaleString('en')} works.`,
  },

  track: {
    title: 'Track',
    sort: 'Order',
    airing: 'Airing',
    today: 'Airs today',
    recorded: 'Recorded',
    starting: 'Starts this week',
    upToDate: 'Up to date',
    noEpisodes: 'No episodes are listed',
    behind: (count: number) => `${count} behind`,
    record: (work: string, episode: string) => `Record ${lowerFirst(episode)} of ${work}`,
    more: (work: string) => `Rate, comment or skip: ${work}`,
    addEpisode: '+1',
    addEpisodeTo: (work: string) => `+1 episode of ${work}`,
    log: 'Record it',
    nothing: 'You are not watching anything yet',
    nothingExplained: 'Choose what you are watching to see the next episodes here.',
    pick: 'Pick what you watch',
    toSeason: 'See this season',
  },

  search: {
    of: (text: string) => `“${text}”`,
    kindsTitle: 'Kinds of results',
    kinds: {
      works: 'Works',
      characters: 'Characters',
      people: 'People',
      organizations: 'Organizations',
      users: 'Users',
    },
    /** Counting stops at 1,000. */
    figure: upToThousand,
    counts: {
      works: (count: number) => several(count, { one: 'work', other: 'works' }),
      characters: (count: number) => several(count, { one: 'character', other: 'characters' }),
      people: (count: number) => several(count, { one: 'person', other: 'people' }),
      organizations: (count: number) => several(count, { one: 'organization', other: 'organizations' }),
      users: (count: number) => several(count, { one: 'user', other: 'users' }),
    },
    episodes: (count: number) => `${count}\u00a0${plural(count, { one: 'ep', other: 'eps' })}`,
    seen: (times: number) => (times === 1 ? 'Watched' : `Watched ${times} times, last`),
    toBeAnnounced: 'To be announced',
    credits: (count: number) => `${count} ${plural(count, { one: 'credit', other: 'credits' })}`,
    pagesTitle: 'Pages of results',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    signIn: 'Sign in to add these to your library',
    hint: 'Not found? Paste the address of its page on Annict, AniList, MyAnimeList or its official site.',
    ways: [
      {
        what: 'A title, or part of one',
        examples: ['葬送のフリーレン', 'がくえん', 'shingeki no kyojin', 'apothecary'],
      },
      { what: 'A nickname or initials', examples: ['まどマギ', 'SAO'] },
      { what: 'A season', examples: ['SPY×FAMILY 2', '鬼滅の刃 遊郭編'] },
      { what: 'An address or id at another site', examples: ['https://annict.com/works/10079', 'mal:52991'] },
    ],
    toSeason: 'This season',
    missing:
      'A work you cannot find here is missing from the catalogue. Ask the administrator of this site to import it.',
    missingForAdmin:
      'A work you cannot find here is missing from the catalogue. Add it with “kiroku catalogue import”.',
    nothing: {
      works: 'No works found',
      characters: 'No characters found',
      people: 'No people found',
      organizations: 'No organizations found',
      users: 'No users found',
    },
    tryWorks:
      'Try fewer letters, the title in kana, romaji or English, or paste the address of its page on Annict, AniList, MyAnimeList or its official site.',
    tryNames: 'Try fewer letters, or the name in kana or romaji.',
    tooLong: 'That is too long to search for',
    limit: (most: number, sent: number) =>
      `A search can have up to ${most} characters; this one has ${sent.toLocaleString('en')}. Part of the title is enough.`,
  },

  sheet: {
    title: (episode: string, work: string) => `Record ${lowerFirst(episode)} of ${work}`,
    comment: 'Comment',
    when: 'When',
    now: 'Now',
    aired: 'When it aired',
    date: 'Date',
    unknown: 'Unknown',
    dateHint: 'A date, or as much of it as you know: 2019, 201903 or 20190305',
    changedElsewhere:
      'This was changed elsewhere after you opened it. Saving again replaces what it says now:',
    dateMissing: 'Enter a date, such as 2019, 2019-03 or 2019-03-05.',
    decade:
      'A date cannot be a decade. Enter one year, or save it as “Unknown” and put “2000s” into the comment.',
    airedUnknown: 'It is not known when it aired. Choose another time.',
    record: 'Record',
    upTo: 'Up to here',
    skip: 'Skip this episode',
    upToAll: (count: number) => `Record ${count} episodes up to here`,
    catchUp: (count: number) => `Record all ${count} that have aired`,
    failed: 'This was not recorded',
  },

  calendar: {
    title: 'Calendar',
    day: 'Day',
    week: 'Week',
    month: 'Month',
    spans: 'How much to show',
    works: 'Whose works',
    mine: 'Mine',
    all: 'All',
    moves: 'Earlier and later',
    today: 'Today',
    previous: 'Earlier',
    next: 'Later',
    media: 'Medium',
    allMedia: 'All media',
    range: (first: DayAndMonth, last: DayAndMonth) =>
      `${first[1] === last[1] ? first[0] : `${first[0]} ${first[1]}`}–${last[0]} ${last[1]}`,
    weekOf: (year: number, week: number) => `Week ${week}, ${year}`,
    estimated: 'est.',
    starts: 'new',
    last: 'last episode',
    again: 'repeat',
    own: 'your time',
    byRule: 'weekly since its first',
    released: 'release',
    aired: 'not recorded',
    recorded: 'recorded',
    nothing: 'Nothing on your channels.',
    untimed: 'Without a time',
    nextIs: (episode: string) => `${episode} next`,
    usually: (when: string) => `usually ${when}`,
    keep: 'Keep',
    keepFor: (title: string, when: string) => `Keep ${when} for ${title}`,
    elsewhere: (count: number) =>
      count === 1
        ? '1 work airs only on channels that you have not chosen.'
        : `${count} works air only on channels that you have not chosen.`,
    showElsewhere: 'Show all channels',
    onAll: 'Showing all channels, and repeats.',
    onMine: 'Show only your channels',
    noWorks: 'Nothing to put into the calendar yet',
    noWorksExplained: 'Works that you plan to watch or are watching appear here when they air.',
    noTimes: 'No broadcast times yet',
    noTimesExplained: (count: number) =>
      count === 1
        ? 'This calendar knows no time of your work. Set it if you know it, it takes three taps.'
        : `This calendar knows no times of your ${count} works. Set the ones you know, each takes three taps.`,
    sources: 'Sources of broadcast times',
    nothingHere: 'Nothing airs here',
    channels: (count: number) => {
      if (count === 0) return 'All channels'
      return count === 1 ? '1 channel' : `${count} channels`
    },
    zone: (city: string) => `times of ${city}`,
    utc: 'times in UTC, as your time zone is not known',
    nights: 'a day lasts until 29:59',
    more: (count: number) => `+${count}`,
    moreOn: (day: string, count: number) => `${count} more on ${day}`,
    doneOn: 'all recorded',
    openOn: 'some not recorded',
    toCome: (count: number) => `${count} to come`,
    others: (count: number) => `and ${count} more`,
  },

  feeds: {
    title: 'Add to your calendar',
    explained:
      'Calendar applications can read your broadcasts from a secret address and stay up to date. Make a separate address for each.',
    newTitle: 'New address',
    name: 'Name',
    nameHint: 'What reads it, such as “Phone”; calendars show it.',
    wanted: 'First episodes of what I plan to watch',
    withRule: 'Estimated times',
    alarm: 'Reminder',
    noAlarm: 'None',
    atBegin: 'When it begins',
    minutesBefore: (minutes: number) => `${minutes} minutes before`,
    create: 'Make an address',
    created: 'Made',
    most: (most: number) => `You have ${most} addresses, which is the most. Revoke one to make another.`,
    renew: 'New address',
    renewTitle: (name: string) => `A new address for ${name}?`,
    renewExplained: 'The old one stops working at once.',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeExplained: 'Calendars will no longer be able to read this address.',
    createdTitle: 'Your calendar’s address',
    copyNow: 'Copy it now. You will not be able to see it again.',
    subscribe: 'Open in my calendar',
    forReaders: 'For feed readers:',
    forFollowing: 'For feed readers, what those you follow do:',
    following: 'kiroku: those you follow',
    whoeverHasIt:
      'Whoever has one of these addresses can read what you watch and when, and what you may see of those you follow. It needs no password.',
    back: 'Back to your addresses',
  },

  scrobbling: {
    title: 'Players',
    explained:
      'Jellyfin, Plex, Emby, Kodi and others report what you watched to an address of your own, and it is recorded. What is not sure waits for you here.',
    add: 'Add a player',
    player: 'Player',
    players: {
      jellyfin: 'Jellyfin',
      plex: 'Plex',
      emby: 'Emby',
      kodi: 'Kodi',
      tautulli: 'Tautulli (Plex without Plex Pass)',
      trakt: 'Trakt apps that let you choose the server',
      generic: 'Browser or script',
    },
    byToken: 'by a token',
    notSent:
      'Infuse, Stremio, Nuvio and streaming sites send nothing to an address of your own. If you use Trakt there, import its file.',
    toImport: 'Import a file',
    name: 'Name',
    nameHint: 'Such as “Living room”. Only you see it.',
    playerUser: 'Only this user of the player',
    playerUserHint: 'Your user name in the player. Leave it blank for anyone.',
    heard: (user: string) => `Last heard: ${user}.`,
    threshold: 'Threshold in percent',
    thresholdHint: 'How much of an episode counts as watched, if the player does not say so itself.',
    setStatus: 'Set the status to Watching',
    dryRun: 'Dry run: show what would be recorded, and record nothing',
    activity: 'Show in my activity',
    make: 'Make the address',
    madeTitle: 'The address of your player',
    copyNow: 'Copy it now. You will not be able to see it again.',
    whoeverHasIt: 'Whoever has it can report plays of yours, and nothing else.',
    back: 'Back to your players',
    next: 'What to do there',
    template: 'JSON data',
    example: 'A report',
    steps: {
      jellyfin: [
        'Dashboard → Plugins → Repositories: add that of the plugin “Webhooks” by shemanaev. It sends the ids of series; the official “Webhook” works too.',
        'Install “Webhooks” from the catalogue and restart Jellyfin.',
        'Plugins → Webhooks → add one: paste the address, choose the format Default and your user.',
        'Tick the events Scrobble and MarkPlayed. Save.',
        'With “Webhook” instead: Generic Destination; tick Playback Stop, User Data Saved, Episodes, Movies and Send All Properties.',
      ],
      plex: [
        'Webhooks are part of Plex Pass. Without it, choose Tautulli.',
        'On the server: Settings → Network → tick Webhooks.',
        'On plex.tv: Account settings → Webhooks → Add webhook.',
        'Paste the address and save.',
        'Webhooks report everybody on your server: put your Plex name below “Only this user”.',
      ],
      emby: [
        'Webhooks are part of Emby Premiere.',
        'Open the menu of your user → Settings → Notifications → Add notification → Webhooks.',
        'Paste the address, and choose application/json as the request content type.',
        'Tick Playback: Stop, and Users: Mark played if you like.',
        'Limit it to your user and save.',
      ],
      kodi: [
        'Install an add-on that sends playback events as JSON to an address.',
        'Settings of the add-on: paste the address, method POST.',
        'Tick the events stop and end.',
        'The series must be in the library of Kodi, with seasons and episodes.',
        'JSON-RPC notifications (Player.OnStop) may be forwarded as they are.',
      ],
      tautulli: [
        'Settings → Notification agents → Add → Webhook.',
        'Configuration: paste the address, method POST.',
        'Triggers: tick Watched, and nothing else.',
        'Conditions: Username is your Plex name.',
        'Data → Watched: paste the text below as JSON data. Save.',
      ],
      trakt: [
        'In the app, choose another server for Trakt.',
        'Paste the address as the server’s API address, without anything behind it.',
        'Any client id and any key will do.',
        'Ratings and lists are not read.',
        'Apps without that setting cannot report here. Import a file from Trakt instead.',
      ],
      generic: [
        'Send a POST with JSON to the address, when something was watched.',
        'title and episode are enough; season, year and air_date make it surer.',
        'ids may have annict, mal, anilist, anidb, bangumi, tmdb or tvdb.',
        'Without an episode it is a film.',
        'Scripts with a token use POST /v1/me/scrobble instead.',
      ],
    },
    waiting: (plays: string, series: number) =>
      `${plays} of ${plural(series, { one: '1 series', other: `${series} series` })} fit no work for sure. One choice settles all of a series, also later ones.`,
    plays: (count: number) => plural(count, { one: '1 play', other: `${count} plays` }),
    choose: 'Choose',
    trackLine: (series: number) =>
      `Plays of ${plural(series, { one: '1 series', other: `${series} series` })} wait to be placed`,
    toPlace: (series: number) => `${series} to place`,
    onlyUser: (user: string) => `only user ${user}`,
    from: (percent: number) => `from ${percent} %`,
    setsWatching: 'sets Watching',
    keepsStatus: 'the status stays as it is',
    trial: 'trial, records nothing',
    revoked: 'revoked',
    recordedIn: (count: string) => `${count} recorded in 30 days`,
    last: 'last',
    silent: (day: string) => `nothing since ${day}`,
    neverHeard: 'Nothing has arrived yet. Play something to its end.',
    settingsOf: (name: string) => `Settings of ${name}`,
    noHooks: 'No player yet',
    noHooksHint: 'Add one, and whatever you finish watching is recorded automatically.',
    said: 'What they said',
    days: '30 days',
    filter: 'Results',
    results: {
      recorded: 'Recorded',
      rated: 'Rated',
      duplicate: 'Duplicate',
      unmatched: 'To place',
      ignored: 'Ignored',
    },
    nothingSaid: 'Nothing was said in the last 30 days.',
    noneOf: 'None of these in the last 30 days.',
    aired: (day: string) => `aired ${day}`,
    notDecided: 'Not decided',
    proposals: (count: number) => plural(count, { one: '1 proposal', other: `${count} proposals` }),
    undone: 'taken back',
    dry: 'not recorded: dry run',
    rules: {
      taught: 'your choice for this series',
      mapping: 'by the mapping file',
      work_id: 'by the id of the work',
      title: 'by the title',
      own_title: 'by the title of this season',
      season: 'by season and number',
      air_date: 'by date',
      special: 'a special, by date',
    },
    reasons: {
      event: 'an event that means nothing here',
      not_completed: 'not watched to its end',
      unplayed: 'marked as not watched',
      not_video: 'neither an episode nor a film',
      user: 'another user of the player',
      paused: 'paused',
      left_out: 'left out by you',
      no_work: 'no work of this name or id here',
      several_works: 'several works fit',
      contradiction: 'title and year contradict the id',
      title_only: 'only a title, which is not enough',
      special: 'a special that is not known',
      no_episode: 'the work has no such episode',
      numbering: 'this season is counted apart',
    },
    sameEpisode: 'same episode within 12 hours',
    again: 'Send again',
    againOf: (what: string) => `Send again: ${what}`,
    menuOf: (what: string) => `More for ${what}`,
    inbox: 'Which work is it?',
    outsideWork: 'With this number, the episodes are not in the list of this work.',
    inboxLeft: (series: number, plays: string) =>
      `${plural(series, { one: '1 series', other: `${series} series` })}, ${plays}`,
    nothingWaits: 'Nothing waits',
    nothingWaitsHint: 'Everything your players reported has been matched to a work.',
    season: (season: number) => `season ${season}`,
    use: (plays: string) => `Record ${plays} and remember`,
    preview: 'What will be recorded',
    remembers:
      'They are recorded as watched when they were played, and later episodes follow. Undo takes both back.',
    leaveOut: 'Leave out',
    chooseFor: (series: string) => `Choose the work of ${series}`,
    continuesAt: (season: string) =>
      season === '' ? 'Episode 1 is this work’s no.' : `Episode 1 of season ${season} is this work’s no.`,
    continuesHint: '1 if the player counts as the work does, or if its numbers run on.',
    continuesBefore: 'Follows the last episode recorded from the season before.',
    taught: 'What is remembered',
    taughtAs: (series: string, season: number | null) =>
      season === null ? series : `${series}, season ${season}`,
    taughtFrom: (number: number) => `from no. ${number} on`,
    forget: 'Forget',
    forgetOf: (series: string) => `Forget the choice for ${series}`,
    leftOut: 'Left out',
    takeIn: 'Take in again',
    takeInOf: (series: string) => `Take in again: ${series}`,
    undoTitle: 'Take back',
    undoExplained: 'Records, statuses and lists are as before, except what you have changed since.',
    undoSince: 'Take back what it recorded in the last',
    hours: (hours: number) => plural(hours, { one: 'hour', other: `${hours} hours` }),
    undoButton: 'Take back',
    undoQuestion: 'Take back everything that this player recorded in that time?',
    manyAtOnce: (name: string, count: string) =>
      `${name} reported ${count} plays within an hour, as when a library is marked as played.`,
    tookBack: (count: number) =>
      plural(count, { one: 'Took back 1 play', other: `Took back ${count} plays` }),
    tookNothing: 'There was nothing to take back',
    leftAsChanged: (count: number) =>
      plural(count, {
        one: '1 play was changed since and stays',
        other: `${count} plays were changed since and stay`,
      }),
    decidedAgain: 'Decided again',
    isLeftOut: 'Left out from now on',
    isForgotten: 'Forgotten',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke the address of ${name}?`,
    revokeExplained: 'The player cannot report here any more. What it recorded stays.',
    wasRevoked: 'This address was revoked. What it reported stays below “What they said”.',
  },

  mappings: {
    title: 'Mapping files',
    explained:
      'They say which episodes of TheTVDB and TMDB are which of a work, for what players report and for imports. None is shipped with kiroku, and none is fetched by itself.',
    file: 'File',
    fileHint:
      'anime-list-master.xml of Anime-Lists, mappings.json of AniBridge (version 3), or anime-list-full.json of Fribb, also packed as .zst or .gz, up to 5 MiB. Larger ones: kiroku mapping import.',
    install: 'Install',
    sent: 'sent by a browser',
    unrecognised: 'This is no mapping file of Anime-Lists, AniBridge or Fribb.',
    kind: 'Kind',
    installed: 'Installed',
    ranges: 'Ranges',
    works: 'Works here',
    contradictions: 'Contradictions',
    remove: 'Remove',
  },

  slot: {
    title: 'Set a time',
    of: (title: string) => `Your broadcast time of ${title}`,
    habitually: (weekday: string, clock: string) => `${weekday}, about ${clock}`,
    setFor: (title: string) => `Set a time for ${title}`,
    habit: (when: string) => `You usually watch it on ${when}.`,
    listed: (episode: string, when: string) =>
      `${episode} is listed for ${when}. Where a source lists a time, that one holds.`,
    weekday: 'Weekday',
    time: 'Time',
    timeHint: 'Such as 23:00, or 25:30 for the night after',
    channel: 'Channel',
    anyChannel: 'Not chosen',
    from: 'From episode',
    beginsOn: 'First day',
    more: 'Time zone, every two weeks',
    zone: 'Time zone',
    weeks: 'How often',
    weekly: 'Every week',
    fortnightly: 'Every two weeks',
    onlyMe: 'Only for me. A time that a source lists replaces it.',
    now: (episode: string, weekday: string, clock: string, isFortnightly: boolean) =>
      `From ${lowerFirst(episode)}: ${isFortnightly ? 'every second' : 'every'} ${weekday} at ${clock}`,
    until: (rule: string, last: string) => `${rule}, up to ${lowerFirst(last)}.`,
    open: (rule: string) => `${rule}, as long as the list goes on.`,
    keep: 'Set this time',
    shift: 'No broadcast this week',
    end: 'End it',
    failed: 'The time was not set',
  },

  library: {
    title: 'Library',
    shelves: 'Works by status',
    sort: (order: string) => `Order: ${order}`,
    sorts: {
      recent: 'Last watched',
      changed: 'Last changed',
      title: 'Title',
      season: 'Season',
      progress: 'Progress',
      rating: 'Rating',
    },
    views: { covers: 'Covers', table: 'Table' },
    select: 'Select',
    selectAll: (count: number) => `Select all ${count}`,
    selectNone: 'Select none',
    otherPages: (count: number) => `and ${count} on other pages`,
    chosen: 'Selected:',
    rateChosen: (rating: string) => `Rate the selected works: ${rating}`,
    setChosen: 'Set the selected works to',
    noneChosen: 'Select at least one work.',
    tooManyChosen: (most: number) => `Select at most ${most} works at a time.`,
    columns: {
      title: 'Title',
      progress: 'Progress',
      rating: 'Rating',
      dates: 'Watched',
      last: 'Last watched',
      added: 'Added',
      season: 'Season',
      status: 'Status',
    },
    filter: 'Filter',
    anyMedium: 'Any medium',
    year: 'Year',
    anyYear: 'Any year',
    apply: 'Apply',
    pages: 'Pages',
    pageOf: (page: number, pages: number) => `${page} of ${pages}`,
    nothing: 'Nothing here yet',
    nothingExplained: 'Works appear here once you give them this status.',
    toSeason: 'See this season',
    noMatch: 'No work matches the filter',
    showAll: 'Show all',
    datesOf: (title: string) => `Status and dates of ${title}`,
    started_on: 'Started',
    finished_on: 'Finished',
    datesHint:
      'As precisely as you know: 2019, 2019-03 or 2019-03-05. If you leave it blank, the dates of your first and last records are shown.',
    noStatus: 'Give the work a status first.',
    finishedBeforeStarted: 'The end must not be before the start.',
  },

  destinations: {
    title: 'Where notifications go',
    explained:
      'Choose what you are told of and where: here on kiroku, and also in an app or service that you use, such as ntfy or Discord.',
    what: 'What',
    here: 'Here',
    mail: 'E-mail',
    mailAt: 'at 8 every morning',
    thisBrowser: 'This browser',
    otherBrowser: 'Another browser',
    browserTitle: 'This browser',
    browserExplained:
      'It can show notifications while kiroku is closed. They go through the server of the browser’s maker, encrypted: only this browser can read them. It ends when you sign out here.',
    browserOn: (host: string) => `This browser is told through ${host}.`,
    askBrowser: 'Show notifications here',
    browserDenied: 'The browser does not allow it. You can allow it in its settings for this site.',
    browserFailed: 'The browser could not reach the server of its maker. Try again later.',
    browserRefused: 'What the browser sent is no address and key of its own',
    noBrowserHere: 'This browser cannot do it, or only with JavaScript.',
    noMail: 'This server sends no e-mail, so there is none of what is new either.',
    rows: {
      episode: { name: 'New episodes', hint: 'when they begin to air' },
      like: { name: 'Likes', hint: '' },
      comment: { name: 'Comments', hint: 'on what you wrote, and where you wrote' },
      follow: { name: 'Followers and requests', hint: '' },
      meeting: { name: 'Watching together', hint: 'when you are asked, and an hour before' },
      report: { name: 'Reports', hint: 'for administrators' },
      record: { name: 'My own records', hint: 'to webhooks only' },
    },
    recordsToWebhooks: 'Only a webhook can be told of your own records.',
    quiet: 'Quiet time',
    quietFrom: 'From',
    quietTo: 'Until',
    quietHint:
      'During these hours nothing is sent to other apps and services. What happens meanwhile arrives in one message when they end. The hours are those of your time zone; leave both empty for none.',
    list: 'Destinations',
    none: 'Nothing is sent anywhere yet.',
    add: 'Add a destination',
    create: 'Add',
    most: (most: number) => `There can be at most ${most} destinations: delete one first.`,
    refused: (why: string) =>
      `The address must be a public https address without a name or password in it: ${why}.`,
    kind: 'What it is',
    kinds: { webhook: 'Webhook', ntfy: 'ntfy', gotify: 'Gotify', discord: 'Discord', push: 'Push' },
    url: 'Address',
    urlHint: 'Of ntfy with the topic at its end, of Gotify the server’s. It is not shown again.',
    token: 'Token',
    tokenHint: 'The access token of ntfy, if it needs one, or the application token of Gotify.',
    events: { episode: 'New episodes', notification: 'Notifications', record: 'My own records' },
    noEvent: 'Choose at least one kind of news to send.',
    test: 'Send a test',
    arrived: 'The test arrived.',
    failed: 'The test did not arrive.',
    state: 'State',
    last: 'Last arrived',
    off: (status: string) => `Ten failures in a row, switched off (${status})`,
    on: 'On',
    noAnswer: 'no answer',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplained: 'What waits for it is not sent any more.',
    createdTitle: 'The secret of the webhook',
    copyNow:
      'Copy it now: messages are signed with it (Standard Webhooks). You will not be able to see it again.',
    back: 'To the destinations',
  },
  digest: {
    subject: (count: number) =>
      `kiroku: ${plural(count, { one: '1 new notification', other: `${count} new notifications` })}`,
    lines: {
      episode: (n: number) => plural(n, { one: '1 new episode', other: `${n} new episodes` }),
      like: (n: number) => plural(n, { one: '1 like', other: `${n} likes` }),
      comment: (n: number) => plural(n, { one: '1 comment', other: `${n} comments` }),
      follow: (n: number) => plural(n, { one: '1 new follower', other: `${n} new followers` }),
      follow_request: (n: number) =>
        plural(n, { one: '1 request to follow you', other: `${n} requests to follow you` }),
      follow_accepted: (n: number) =>
        plural(n, { one: '1 of your requests was accepted', other: `${n} of your requests were accepted` }),
      meeting: (n: number) =>
        plural(n, { one: '1 word on watching together', other: `${n} words on watching together` }),
      report: (n: number) => plural(n, { one: '1 report', other: `${n} reports` }),
    },
    naming: (names: string) => `: ${names}`,
    text: (
      username: string,
      lines: readonly string[],
      { all, settings, stop }: Readonly<Record<'all' | 'settings' | 'stop', string>>,
    ) => `Good morning, ${username}. This is new for you:

${lines.map((line) => `- ${line}`).join('\n')}

All notifications:
${all}

What this e-mail tells of:
${settings}

No more of these e-mails:
${stop}`,
    stopTitle: 'No more morning e-mails?',
    stopExplained:
      'kiroku then no longer sends you an e-mail of what is new. You can change that in the settings.',
    stop: 'Stop them',
    stoppedTitle: 'You get no more morning e-mails',
    stoppedExplained: 'If you want them again, choose what they tell of in the settings.',
  },
  news: {
    titles: { episode: 'New episode', notification: 'Notification', record: 'Recorded' },
    like: (name: string) => `${name} likes what you wrote`,
    follow: (name: string) => `${name} follows you`,
    comment: (name: string) => `${name} commented on what you wrote`,
    followRequest: (name: string) => `${name} asks to follow you`,
    followAccepted: (name: string) => `${name} accepted your request`,
    destinationOff: 'Nothing is sent to one of your destinations any more: it failed ten times in a row',
    meeting: 'There is news of a date to watch together',
    something: 'There is something new',
    test: 'This is a test from kiroku',
  },
  diary: {
    title: 'Diary',
    byDay: 'By day',
    counts: (watched: number, films: number) => {
      const ofEpisodes = episodes(watched)
      const ofFilms = `${films} ${plural(films, { one: 'film', other: 'films' })}`
      if (films === 0) return ofEpisodes
      return watched === 0 ? ofFilms : `${ofEpisodes}, ${ofFilms}`
    },
    entries,
    dayCount: (day: string, count: number) => `${day}: ${entries(count)}`,
    months: 'Months',
    years: 'Years',
    wholeYear: 'Year',
    sometimeInMonth: 'Some day this month',
    sometimeInYear: 'Some day this year',
    guardedText: 'A comment about something you have not watched',
    nothing: 'Nothing recorded this month',
    nothingExplained: 'What you record appears here by day.',
    toTrack: 'Go to Track',
  },

  /** `/@mio/stats`. */
  stats: {
    title: 'Statistics',
    period: 'Period',
    all: 'All time',
    allMedia: 'Every medium',
    finished: (count: number) => plural(count, { one: 'work finished', other: 'works finished' }),
    hours: (count: number) => plural(count, { one: 'hour', other: 'hours' }),
    about: (figure: string) => `about ${figure}`,
    days: (count: number) => `something on ${days(count)}`,
    streak: (count: number) => `at most ${count} in a row`,
    currentStreak: (count: number) => `${count} in a row now`,
    perWeek: (count: number) => `${count} a week`,
    undatedOf: (count: number) => `${count.toLocaleString('en')} of it at an unknown time`,
    undatedBesides: (count: number) =>
      `and ${count.toLocaleString('en')} at an unknown time, which no period has`,
    hoursRule: 'How the hours are counted',
    hoursRuleText:
      'Each episode or film by the length of its work, where that is known; otherwise 24 minutes for TV and web, 30 for an OVA, 100 for a film and 15 for anything else.',
    byMonth: 'Month by month',
    byYear: 'Year by year',
    most: (what: string, count: string) => `Most: ${what}, with ${count}.`,
    monthLabel: (month: string) => month,
    narrowMonth: (month: string) => month.slice(0, 1),
    when: 'When',
    mostly: (weekday: string, from: string, until: string) =>
      `Mostly ${weekday}, between ${from} and ${until}.`,
    ratings: 'Ratings',
    mean: (mean: number) => `${mean} of 100 on average. `,
    onlyWords: (count: number) => `${count} more have only a word.`,
    works: (count: number) =>
      `${count.toLocaleString('en')} ${plural(count, { one: 'work', other: 'works' })}`,
    decades: 'When the works are from',
    decade: (year: number) => `${year}s`,
    decadeHead: 'Decade',
    seasons: 'Last seasons',
    media: 'Media',
    completion: 'To the end',
    ofBegun: (begun: number, watched: number) =>
      `Of ${begun.toLocaleString('en')} works begun, ${watched.toLocaleString('en')} are watched. `,
    droppedAfter: (count: number) => `What was dropped was usually dropped after ${episodes(count)}.`,
    rewatched: 'Watched again',
    againSentence: (count: number) =>
      `${count.toLocaleString('en')} ${plural(count, { one: 'work', other: 'works' })} watched again.`,
    makers: { studios: 'Studios', staff: 'Staff', voices: 'Voices' },
    knownOf: (known: number, all: number) => `known of ${known} of ${all}`,
    and: ', ',
    fewEnd: '. ',
    chartFrom: (count: number) => `From ${count} on there is a chart.`,
    together: 'Together',
    episodesHead: 'Episodes',
    filmsHead: 'Films',
    worksHead: 'Works',
    timesHead: 'Times',
    yearHead: 'Year',
    nameHead: 'Name',
    nothingExplained:
      'Import a list that you keep elsewhere, or record what you have watched; then there is something to count.',
    nothingThen: 'Nothing recorded in this time',
    lastWith: (year: number) => `Go to ${year}`,
  },

  /** `/@mio/2026`, `/@mio/2025-04`. Months are counted from year 0. */
  year: {
    name: (from: number, until: number) =>
      from % 12 === 0 ? String(from / 12) : `${monthOfYear(from)} to ${monthOfYear(until)}`,
    kicker: 'Your year',
    kickerSoFar: 'Your year, so far',
    of: (name: string) => `A year of ${name}`,
    finished: (count: number) => `${count} ${plural(count, { one: 'work', other: 'works' })} finished`,
    films: (count: number) => `${count} ${plural(count, { one: 'film', other: 'films' })}`,
    hours: (count: number) =>
      `about ${count.toLocaleString('en')} ${plural(count, { one: 'hour', other: 'hours' })}`,
    line: ({ finished, films, hours }: { finished: number; films: number; hours: number }) =>
      `${finished} ${plural(finished, { one: 'work', other: 'works' })} · ${films} ${plural(films, { one: 'film', other: 'films' })} · about ${hours.toLocaleString('en')} ${plural(hours, { one: 'hour', other: 'hours' })}`,
    best: 'Best',
    finishedHead: 'Finished',
    firstAndLast: 'First and last',
    also: 'And also',
    atTime: (day: string, clock: string) => (clock === '' ? day : `${day}, ${clock}`),
    lap: (lap: number) => `(${nth(lap)} time)`,
    streak: (day: string) => `days in a row, from ${day}`,
    busiest: (day: string) => `watched on ${day}`,
    again: (count: number) => plural(count, { one: 'work watched again', other: 'works watched again' }),
    dropped: (finished: number) => `dropped, ${finished} finished`,
    savePicture: 'Save picture',
    saveTall: 'Save it upright',
    copyText: 'Copy as text',
    copied: 'Copied',
    asText: ({ name, figures, titles }: YearText) =>
      `My ${name} in anime: ${episodes(figures.episodes)}, ${figures.finished} ${plural(figures.finished, { one: 'work', other: 'works' })} finished, about ${figures.hours} hours.${titles.length === 0 ? '' : ` ${titles.join(', ')}.`}`,
  },

  /** `/@mio/now.svg`. */
  now: {
    title: (name: string) => `${name} is watching`,
    nothing: 'Nothing at the moment',
    paste: 'For your own site: a picture of what you are watching, which follows by itself. Paste this:',
  },

  profilePage: {
    since: (month: string) => `since ${month}`,
    bothRated: (works: number, alike: number) => `You both rated ${works}, and ${alike} of them alike.`,
    followsYou: 'follows you',
    follow: 'Follow',
    following: 'Following',
    followUser: (username: string) => `Follow ${username}`,
    unfollow: (username: string) => `Following ${username}: unfollow`,
    mute: (username: string) => `Mute ${username}`,
    unmute: (username: string) => `Unmute ${username}`,
    followed: (username: string) => `You follow ${username}`,
    request: 'Request',
    requested: 'Requested',
    withdraw: (username: string) => `You asked to follow ${username}: withdraw`,
    asked: (username: string) => `You asked to follow ${username}`,
    isPrivate: 'This profile is private.',
    unfollowed: (username: string) => `You no longer follow ${username}`,
    block: (username: string) => `Block ${username}`,
    unblock: (username: string) => `Unblock ${username}`,
    blocked: (username: string) => `You blocked ${username}. Neither of you sees the other`,
    unblocked: (username: string) => `You unblocked ${username}`,
    muted: (username: string) => `You muted ${username}`,
    unmuted: (username: string) => `You unmuted ${username}`,
    menuOf: (username: string) => `More about ${username}`,
    episodes: (count: number) => plural(count, { one: 'episode', other: 'episodes' }),
    works: (count: number) => plural(count, { one: 'work watched', other: 'works watched' }),
    films: (count: number) => plural(count, { one: 'film', other: 'films' }),
    days: (count: number) => plural(count, { one: 'day recorded', other: 'days recorded' }),
    heatSentence: (entries: number, count: number) =>
      `${entries.toLocaleString('en')} diary ${plural(entries, { one: 'entry', other: 'entries' })} on ${days(count)} in the last year`,
    fewer: 'fewer',
    more: 'more',
    asTable: 'As a table',
    month: 'Month',
    watched: 'Entries',
    daysHead: 'Days',
    favourites: 'Favourites',
    favouriteWork: (title: string) => `Favourite: ${title}`,
    earlier: (title: string) => `Move ${title} forward`,
    later: (title: string) => `Move ${title} back`,
    unfavourite: (title: string) => `Remove ${title} from your favourites`,
    recent: 'Recent',
    nothing: 'Nothing recorded yet.',
    wholeDiary: 'The whole diary',
    people: 'People',
    followers: (count: number) => `${count} ${plural(count, { one: 'follower', other: 'followers' })}`,
    follows: (count: number) => `follows ${count}`,
  },

  activity: {
    title: 'Activity',
    kinds: 'Kinds of activity',
    following: 'Following',
    notifications: 'Notifications',
    everyone: 'Everyone',
    today: 'Today',
    yesterday: 'Yesterday',
    /** Sentences; each `what` is a title, or works by their number. */
    recorded: (who: string, episode: string, what: string) =>
      `${who} watched ${lowerFirst(episode)} of ${what}`,
    recordedRange: (who: string, first: number, last: number, what: string) =>
      `${who} watched episodes ${first}–${last} of ${what}`,
    recordedSome: (who: string, count: number, what: string) =>
      `${who} watched ${episodes(count)} of ${what}`,
    together: (who: string, watched: string, what: string, people: number) =>
      `${who} watched ${lowerFirst(watched)} of ${what}, ${people} people together`,
    range: (first: number, last: number) => `Episodes ${first}–${last}`,
    viewed: (who: string, what: string) => `${who} watched ${what}`,
    reviewed: (who: string, what: string) => `${who} reviewed ${what}`,
    did: {
      wanna_watch: (who: string, what: string) => `${who} plans to watch ${what}`,
      watching: (who: string, what: string) => `${who} is watching ${what}`,
      watched: (who: string, what: string) => `${who} finished ${what}`,
      on_hold: (who: string, what: string) => `${who} put ${what} on hold`,
      stop_watching: (who: string, what: string) => `${who} dropped ${what}`,
    },
    titled: (title: string) => title,
    works: (count: number) => `${count} works`,
    inARow: (count: number) => `${count} in a row`,
    more: (count: number) => `+${count}`,
    readReview: 'Read the comment',
    guarded: 'A comment ahead of you',
    older: 'Older',
    nobodyFollowedExplained: 'What the people you follow watch appears here.',
    seeEveryone: 'What everyone watches',
    nothing: 'Nothing here yet',
    nothingExplained: 'Records, reviews and statuses appear here as they are made.',
    people: 'People here',
    inCommon: (count: number) => `${count} ${plural(count, { one: 'work', other: 'works' })} in common`,
  },

  people: {
    title: 'Members',
    order: 'Last active first',
    search: 'Name or username',
    which: 'Which members',
    everyone: 'Everyone',
    following: (count: number) => `Following ${count}`,
    followers: (count: number) => `Followers ${count}`,
    followersOf: (username: string) => `Who follows ${username}`,
    followingOf: (username: string) => `Whom ${username} follows`,
    nobody: 'Nobody here',
    nobodyExplained: 'Nobody is listed, or nobody whom you may see.',
    nobodyFound: (text: string) => `No member is named “${text}”`,
    reviewed: 'Review',
    remove: 'Remove',
    removeFollower: (username: string) => `Remove ${username} from your followers`,
    removed: (username: string) => `${username} no longer follows you`,
    all: 'All members',
    more: 'More',
  },

  history: {
    title: 'History and undo',
    explained:
      'What you did on these pages in the last 30 days, what you imported, and what applications recorded, reviewed or set for you. You can undo any that nothing else depends on.',
    imported: (from: string, count: string, n: number) =>
      `Imported ${count} ${plural(n, { one: 'entry', other: 'entries' })} from ${from}`,
    undone: 'Undone',
    undo: (act: string) => `Undo: ${act}`,
    older: 'Older',
    nothing: 'Nothing to undo',
    nothingExplained: 'What you and your applications record and change is listed here for 30 days.',
    endedAccess: 'An application without access',
  },

  /** Why a list cannot be read, by code. */
  refusedFile: {
    empty: 'The file is empty.',
    truncated: 'The file is incomplete: its end is missing. Download it again.',
    broken: (at: { line: number } | { byte: number } | undefined) =>
      at === undefined
        ? 'The file is damaged and cannot be read.'
        : `The file is damaged: it cannot be read from ${'line' in at ? `line ${at.line.toLocaleString('en')}` : `byte ${at.byte.toLocaleString('en')}`} on.`,
    too_large: 'The file is too large.',
    too_many_members: 'The archive contains more than 10,000 files.',
    unrecognised: (sources: readonly string[]) =>
      `No list was recognised in the file. If you chose a service, the file must be from it. Lists from these services can be read: ${sources.join(', ')}.`,
    unknown_columns: (columns: readonly string[]) =>
      `The table has the columns ${columns.join(', ')}, and they do not tell what they are. It needs a title or an id of each work, and at least one of its status, progress, episode, dates, rating or comment.`,
    html_page: 'This is a web page, not your list. You may have to sign in there before you download it.',
    manga_list: 'This is a manga list. Export your anime list.',
    doctype: 'The XML file has a document type (DTD). Such files are not accepted.',
    unreadable_text: 'The file looks like a list, but its text cannot be read.',
  },

  /** The limit that was exceeded. */
  fileLimits: {
    upload: 'The file is larger than 32 MiB.',
    member: 'The unpacked file, or one in the archive, is larger than 64 MiB.',
    members: 'The unpacked files of the archive are larger than 256 MiB in total.',
    memberCount: 'The archive contains more than 10,000 files.',
    rows: 'The list has more than 200,000 rows.',
    plays: 'The list has more than 500,000 episode plays.',
    titles: 'The history has more than 40,000 titles.',
    included: 'The file has more than 60,000 works and ids besides its entries.',
    jsonDepth: 'The file is nested more than 64 levels deep. No known list is.',
    text: 'A text in the file is longer than 1 MiB.',
    entry: 'A single entry in the file has more than 200,000 values.',
    columns: 'The table has more than 1,000 columns.',
    table: 'A table whose columns have to be named may have up to 4 MiB.',
    joined: 'The reviews and comments in the file are longer than 8 MiB in total.',
  },

  /** Why nothing was imported from an account at annict.com. */
  annictAccount: {
    wrong_token: 'Annict does not accept this token. Copy it from annict.com again.',
    busy: 'Annict is busy. Try again in a few minutes.',
    running: 'Your account is already being read. Wait until that has finished.',
    unreachable: 'Annict cannot be reached.',
    too_slow: 'Annict takes too long to answer. Try again later.',
    redirect: 'Annict redirected to another address. Your token was not sent there.',
    no_answer: 'The answer from Annict cannot be read. Try again later.',
    too_large: 'Your account has more than 32 MiB of data, which is too much to import.',
    endless: 'Annict kept sending pages without end. Nothing was imported.',
  },

  /** Importing lists from other services, with a preview and an undo. */
  listImports: {
    title: 'Import',
    explained: 'Import your list from another service. You see what will happen before anything changes.',
    choose: 'Choose a file',
    kinds: 'xml · json · csv · zip · gz, up to 32 MiB',
    what: 'What is it?',
    findOut: 'Detect automatically',
    read: 'Read the file',
    refused: (name: string) => (name === '' ? 'This file was not read' : `“${name}” was not read`),
    noFile: 'Choose a file first.',
    moved: 'Nothing was done, because the state of the import has changed.',
    annict: {
      title: 'From an Annict account, without a file',
      token: 'Your own token',
      hint: 'annict.com → Settings → Apps → Personal access tokens. Read access is enough. The token is used once and not stored.',
      read: 'Read the account',
      refused: 'Your Annict account was not read',
    },
    where: 'Where do I get this file?',
    places: {
      mal: 'myanimelist.net → Settings → Export. Upload the .xml.gz file as it is.',
      anilist:
        'anilist.co → Settings → Account → Download, or the response to a MediaListCollection query, saved as JSON.',
      annict: 'There is no download. Use your token above, or a backup made with annict-backup.',
      kitsu: 'kitsu.app → Settings → Exports, which gives a MyAnimeList file, or a response of its API.',
      simkl: 'simkl.com → Settings → Backup: the .zip or .csv file.',
      trakt: 'trakt.tv → Settings → Data → Export: the .zip file.',
      tvtime: 'Ask TV Time for your data under Settings → GDPR, then choose the .zip file they send.',
      bangumi: 'A file of bangumi-takeout, or the response of /v0/users/NAME/collections.',
      yamtrack: 'Settings → Export: the .csv file.',
      shikimori: 'shikimori.one → Settings → List → Export: the XML or JSON file.',
      'anime-planet': 'anime-planet.com → Account → Export: the JSON file.',
      letterboxd: 'letterboxd.com → Settings → Data → Export: the .zip file. Only anime films are imported.',
      neodb: 'neodb.social → Settings → Export: the .zip file.',
      ryot: 'Settings → Imports and exports → Export: the JSON file.',
      'jellyfin-playback': 'Dashboard → Playback Reporting → Save backup: the .tsv file.',
      imdb: 'imdb.com → Your ratings, or your watchlist → Export: the .csv file.',
      netflix:
        'netflix.com → Account → Viewing activity → Download all: the .csv file, or ViewingActivity.csv of “Download your personal information”.',
      watcharr: 'Profile → Export: the .json file.',
      seriesguide: 'More → Backup: the files of shows and of movies.',
      csv: 'A table of your own. Columns: title, year, mal_id, anilist_id, annict_id, status, progress, rating, started_on, finished_on, comment.',
      mediatracker: 'Responses of its API, saved as JSON.',
      tautulli: 'Tautulli → History → Export: the .csv file.',
      kiroku: 'Settings → Export your data on another kiroku: the first file.',
    },
    columns: {
      title: 'Which column is which?',
      choose: 'A table: name its columns',
      explained:
        'Choose what each column of the table says. Needed are the title or an id of each work, and one of its status, progress, dates, rating or comment. The next file with the same columns is read at once.',
      column: 'Column',
      meaning: 'What it says',
      none: 'Not used',
      all: 'Status of all entries',
      asInColumn: 'As in its column',
      read: 'Read the table',
      tooFew:
        'Choose at least the title or an id, and one of status, progress, episode, dates, rating or comment. Or choose a status for all entries.',
      remembered: 'Tables whose columns you have named',
      forget: 'Forget',
      forgetName: (header: string) => `Forget the columns of the table with ${header}`,
      fields: {
        title: 'Title',
        year: 'Year',
        season: 'Season number',
        media: 'Medium',
        status: 'Status',
        progress: 'Episodes watched',
        total: 'Number of episodes',
        episode: 'Number of one episode',
        watched_at: 'Watched on',
        rating: 'Rating',
        score: 'Score from 1 to 100',
        comment: 'Comment',
        started_on: 'Started on',
        finished_on: 'Finished on',
        rewatches: 'Times rewatched',
        work_id: 'kiroku id',
        annict_id: 'Annict id',
        mal_id: 'MyAnimeList id',
        anilist_id: 'AniList id',
        anidb_id: 'AniDB id',
        bangumi_id: 'Bangumi id',
        tmdb_id: 'TMDB id',
      },
    },
    history: 'Earlier imports',
    nothing: 'You have not imported anything yet.',
    more: (what: string) => `More for the import from ${what}`,
    forget: 'Delete from the history',
    forgetQuestion:
      'Delete this import from the history? What it added stays, but can no longer be undone together.',
    discard: 'Discard this preview',
    undoOf: (what: string) => `Undo the import from ${what}`,
    stateOf: {
      reading: 'Being read',
      preview: 'Not imported yet',
      applying: 'Importing',
      applied: 'Imported',
      undoing: 'Being undone',
      undone: 'Undone',
      failed: 'Failed',
      expired: 'Expired',
    },

    previewTitle: 'Check before importing',
    kept: (most: number) => `kept for 7 days, and the newest ${most} at most`,
    able: {
      figure: (able: string, all: string) => `${able} of ${all}`,
      rest: (sums: string) => ` entries can be imported${sums === '' ? '' : `: ${sums}`}.`,
    },
    none: 'The file has no entries.',
    nothingNew: (here: string, all: string) => `Nothing new: ${here} of ${all} entries are already here.`,
    sums: {
      records: (count: string, n: number) =>
        `${count}\u00a0${plural(n, { one: 'episode', other: 'episodes' })}`,
      statuses: (count: string, n: number) =>
        `${count}\u00a0${plural(n, { one: 'status', other: 'statuses' })}`,
      reviews: (count: string, n: number) =>
        `${count}\u00a0${plural(n, { one: 'rating or review', other: 'ratings and reviews' })}`,
    },
    states: {
      all: 'All',
      new: 'To add',
      conflict: 'Differs',
      check: 'To check',
      not_found: 'Not found',
      unchanged: 'Unchanged',
      skipped: 'Left out',
      error: 'Unreadable',
    },
    taken: 'Added',
    filter: 'Entries by state',
    needYou: (count: string, n: number) =>
      `${count} ${plural(n, { one: 'entry needs', other: 'entries need' })} your decision.`,
    probable: (count: string, n: number) =>
      `${count} of them ${plural(n, { one: 'is', other: 'are' })} probable.`,
    accept: (count: string) => `Accept the ${count}`,
    accepted: (count: string, n: number) =>
      `${count} probable ${plural(n, { one: 'entry is', other: 'entries are' })} included.`,
    leaveThem: 'Leave them out',
    look: 'Review them',

    differs: 'Where they differ',
    conflict: {
      keep: { name: 'Keep what is here', means: 'Only what is missing is added' },
      file: { name: 'Use the file', means: 'Status, rating and review' },
      newer: { name: 'Use the newer one', means: 'By the time of the last change' },
    },
    howToRead: 'How to read the file',
    scores: 'Scores',
    scoreFormats: {
      unknown: 'Choose the scale',
      POINT_3: '3 faces',
      POINT_5: 'Out of 5',
      POINT_10: 'Out of 10',
      POINT_100: 'Out of 100',
    },
    scoresAsked: 'The file does not state the scale of its scores. Choose it before you import.',
    timeZoneHint: 'For times in the file without a zone',
    isPart: 'This file is one page of your list. Import the other pages too.',
    user: 'Whose history',
    chooseUser: 'Choose the name',
    userHint: 'The file has entries of several people. Choose your name before you import.',
    completeWatched: 'Count finished works as watched to the end',
    completeWatchedHint: 'Even if the file has only some of their episodes',
    includePrivate: 'Include private entries',
    includePrivateHint: 'Only you will see them here, too',
    recount: 'Show what changes',
    apply: (count: string, n: number) => `Import ${count} ${plural(n, { one: 'entry', other: 'entries' })}`,
    toApply: (count: string, n: number) => `${count} ${plural(n, { one: 'entry', other: 'entries' })}`,
    anyTime: 'You can undo it at any time. Nobody is notified.',
    nothingToApply: 'There is nothing to import.',
    allKept: (choice: string) =>
      `There is nothing to import: what is here is kept. To take over what differs, choose “${choice}”.`,
    finish: 'Finish without importing',

    rows: 'Entries of the file',
    ofAll: (progress: string, total: string) => `${progress} / ${total}`,
    score: (score: string) => `score ${score}`,
    by: {
      choice: 'your choice',
      work: 'same id',
      annict: 'Annict id',
      mal: 'MAL id',
      anilist: 'AniList id',
      anidb: 'AniDB id',
      bangumi: 'Bangumi id',
      tmdb: 'TMDB id',
      tvdb: 'TheTVDB id',
      title: 'same title',
    },
    noWork: 'No work of this name here',
    openWork: 'No work chosen yet',
    hereIs: (what: string) => `here: ${what}`,
    adds: (count: string, n: number) => `adds ${count} ${plural(n, { one: 'episode', other: 'episodes' })}`,
    nothingAdded: 'nothing',
    allHere: 'everything is already here',
    reviewToo: 'review',
    privateNote: 'private note',
    skips: (count: string, n: number) => `skips ${count} ${plural(n, { one: 'episode', other: 'episodes' })}`,
    growsTo: (count: string) => `the list grows to ${count} episodes`,
    times: (count: string, n: number) => `rewatched ${n === 1 ? 'once' : `${count} times`}`,
    reasons: {
      several_works: 'Several works have this id or name',
      title_without_year: 'The file has no year',
      title_differs: 'The id belongs to a work with another title',
      episode_count_differs: (file: string, here: string) =>
        `The file has ${file} episodes, this work has ${here}`,
      episode_count: 'The number of episodes differs',
      numbering: 'The file counts it as a season of its own, here it is part of a longer work',
      not_anime: 'not an anime',
      private: 'private',
      duplicate_in_file: 'twice in the file',
      list: 'a list of works',
      nothing_to_import: 'has nothing to import',
      no_counterpart_status: 'its status has no counterpart here',
      played_too_little: 'played too little',
      other_user: 'played by another user',
      chosen: 'you left it out',
      unreadable: (field: string) => `cannot be read: ${field}`,
    },
    warnings: {
      date: (name: string, date: string) => `${name}: ${date} is not a possible date`,
      order: (finished: string, started: string) =>
        `finished on ${finished}, before it was started on ${started}`,
      noEpisode: (numbers: string) => `there is no episode ${numbers}`,
    },
    pick: 'Which one is it?',
    pickNone: 'Search for the work:',
    search: 'Search for another work',
    searchButton: 'Search',
    searchFor: (title: string) => `Search for the work of ${title}`,
    foundNone: 'Nothing found. Try another spelling, or leave it out.',
    use: 'Use this work',
    leaveOut: 'Leave out',
    change: 'Change',
    changeOf: (title: string) => `Change: ${title}`,
    candidates: 'Possible works',
    continuesAt: (season: string) =>
      `${season === '' ? 'This season' : `Season ${season}`} continues at episode`,
    continuesHint: 'The number of its episode 1 in the work chosen above; 1 if the numbers run on.',
    emptyFilter: 'No entries of this kind',
    showAll: 'Show all entries',

    applyingTitle: 'Importing',
    undoingTitle: 'Undoing the import',
    readingTitle: 'Reading the file',
    progress: (done: string, total: string) => `${done} of ${total}`,
    progressName: 'Progress',
    mayClose: 'You can close this page. The import continues.',
    waiting: 'Other imports are running. Yours starts when they have finished; you can close this page.',
    stop: 'Stop and undo',

    appliedTitle: 'Imported',
    nothingTitle: 'Nothing was imported',
    undoneTitle: 'Import undone',
    failedTitle: 'This import failed',
    failedText: 'You can undo what it added before that.',
    expiredTitle: 'This preview has expired',
    expiredText: (most: number) =>
      `Previews are kept for 7 days, and the newest ${most} at most. Nothing was changed. Choose the file again to import it.`,
    again: 'Choose a file again',
    table: {
      added: 'Added',
      done: 'Done',
      entries: 'Works',
      records: 'Episodes',
      statuses: 'Statuses',
      reviews: 'Ratings and reviews',
    },
    removed: 'Undone',
    toLibrary: 'Open the library',
    notTaken: (count: string, n: number) =>
      `${count} ${plural(n, { one: 'entry was', other: 'entries were' })} not imported`,
    notTakenHint: 'Add ids to the file and import it again.',
    rest: 'rest.csv',
    restName: 'Download rest.csv: everything that was not imported',
    changedMind: 'Changed your mind?',
    undoMeans: 'Undo removes what this import added. Anything you have changed since stays and is listed.',
    undo: 'Undo this import',
    undoQuestion: 'Remove everything that this import added?',
    left: 'Not undone',
    leftExplained: 'You have changed these since, or something else depends on them.',
    leftKinds: {
      record: 'Record',
      review: 'Review',
      status: 'Status',
      episode: 'Episode',
      lap: 'Rewatch',
      skip: 'Skipped episode',
      note: 'Note',
    },
    leftWhy: { changed: 'changed since', used: 'in use' },
    andMore: 'The first hundred are listed.',
  },
}

/** Other languages have the same keys and arguments. */
export type Messages = typeof en
