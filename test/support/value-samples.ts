import * as address from '../../src/values/address'
import * as list from '../../src/values/list'
import * as number from '../../src/values/number'
import * as text from '../../src/values/text'
import * as time from '../../src/values/time'
import type { Value } from '../../src/values/value'

/** A value of some kind, and texts that stand for it. */
export interface Sample {
  readonly value: Value<unknown>
  readonly good: readonly string[]
  /** Refuses more than a schema can express: days that do not exist, steps, URLs that the parser refuses. */
  readonly isStricter?: true
}

/** Everything that src/values exports, by name. */
export const exported: Readonly<Record<string, unknown>> = {
  ...address,
  ...list,
  ...number,
  ...text,
  ...time,
}

/** Exports that are not values and create none. */
export const others = ['holdsPassword', 'mayHoldUser']

/** A value of every kind. */
export const samples: Readonly<Record<string, Sample>> = {
  host: { value: address.host, good: ['127.0.0.1', '[::1]', 'kiroku.example'] },
  baseUrl: {
    value: address.baseUrl,
    good: ['https://kiroku.example/log/', 'http://[::1]:3000'],
    isStricter: true,
  },
  smtpUrl: {
    value: address.smtpUrl,
    good: ['smtp://mail.example:587', 'smtps://NAME:PASSWORD@mail.example'],
    isStricter: true,
  },
  emailAddress: {
    value: address.emailAddress((t) => t.rules.email),
    good: ['mio@example.com', "o'neil+a_b@a-b.example", 'x@y'],
  },
  namedHosts: {
    value: address.namedHosts,
    good: ['ntfy.local', 'ntfy.local:8080,[::1]:80'],
    isStricter: true,
  },
  networks: { value: address.networks, good: ['127.0.0.1,10.0.0.0/8', '::1'], isStricter: true },
  idList: {
    value: list.idList,
    good: ['1,2', ',', '', ',,1,,02,', Array(500).fill('123456789012345').join(',')],
  },
  wordList: { value: list.wordList(['good', 'bad']), good: ['good', 'bad,,good', ',', '', 'good,good'] },
  integerUpTo: { value: number.integerUpTo(50), good: ['1', '50'] },
  positiveInteger: { value: number.positiveInteger, good: ['1', '999999999999999'] },
  wholeNumber: { value: number.wholeNumber(0, 65_535), good: ['0', '65535', '080'] },
  integerBetween: { value: number.integerBetween(-50, 50), good: ['0', '-50', '50'] },
  decimal: { value: number.decimal(5, 0.1), good: ['0', '4.5', '0.3', '5.0'], isStricter: true },
  anyText: { value: text.anyText, good: ['', 'a'] },
  textUpTo: { value: text.textUpTo(3, (t) => t.values.atMost(3)), good: ['', 'abc', '🍥🍥🍥'] },
  lineUpTo: { value: text.lineUpTo(3), good: ['a', '\u3000abc ', '🍥🍥🍥'] },
  prose: { value: text.prose(3), good: ['', '\u3000abc\n', '🍥🍥🍥'] },
  nonBlank: { value: text.nonBlank, good: ['a', ' a'] },
  matching: { value: text.matching('^a+$', (t) => t.values.key), good: ['a', 'aaa'] },
  oneOf: { value: text.oneOf(['asc', 'desc']), good: ['asc', 'desc'] },
  either: { value: text.either(['off', 'on', 'include-subdomains']), good: ['off', 'include-subdomains'] },
  trueOrFalse: { value: text.trueOrFalse, good: ['true', 'false'] },
  onOrOff: { value: text.onOrOff, good: ['on', 'off', 'true', 'false'] },
  lineOfText: {
    value: text.lineOfText(5, (t) => t.rules.name),
    good: ['a', ' a b ', '🍥🍥🍥🍥🍥'],
  },
  timeZone: { value: time.timeZone, good: ['Asia/Tokyo', 'UTC'], isStricter: true },
  moment: {
    value: time.moment,
    good: ['2026/04/01 12:00', '2026-04-01', '20260401T120000Z'],
    isStricter: true,
  },
  momentInZone: {
    value: time.momentInZone,
    good: ['2026-11-24T21:03:00Z', '2026-11-24T21:03:00.123+09:00'],
    isStricter: true,
  },
  realDay: {
    value: time.realDay((t) => t.values.realDay),
    good: ['2024-02-29', '1999-12-31'],
    isStricter: true,
  },
  partialDate: { value: time.partialDate, good: ['2016', '2016-03', '2016-03-05'], isStricter: true },
  clockTime: { value: time.clockTime, good: ['23:00', '8:00', '00:00'] },
  duration: { value: time.duration, good: ['45s', '30d'], isStricter: true },
  season: {
    value: time.season('[0-9]{4}', (t, form) => t.values.season(form)),
    good: ['2023-autumn', '0000-all'],
  },
}
