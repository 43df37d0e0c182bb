import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { localTime } from '../../src/lib/local-time'
import { partialDate } from '../../src/values/time'
import { InvalidValue } from '../../src/values/value'
import { isDecade, typedDate } from '../../src/viewing/parts/typed-date'

/** Already 1 January in Japan. */
const today = localTime(Date.UTC(2025, 11, 31, 16), 'Asia/Tokyo')

describe('a typed date', () => {
  test.each([
    ['2019', '2019'],
    ['２０１９年', '2019'],
    ['2019/3', '2019-03'],
    ['2019 3', '2019-03'],
    ['2019年 3月 5日', '2019-03-05'],
    ['2019. 3. 5', '2019-03-05'],
    ['201903', '2019-03'],
    ['20190305', '2019-03-05'],
    ['March 2019', '2019-03'],
    ['sept. 2019', '2019-09'],
    ['5 Mar 2019', '2019-03-05'],
    ['March 5, 2019', '2019-03-05'],
    ['Today', '2026-01-01'],
    ['昨日', '2025-12-31'],
    ['今月', '2026-01'],
    ['先月', '2025-12'],
    ['this year', '2026'],
    ['去年', '2025'],
    ['5 March 5 2019', '5 March 5 2019'],
    ['sometime', 'sometime'],
    ['constructor', 'constructor'],
    ['20193', '20193'],
  ])('%s is %s', (text, date) => {
    expect(typedDate(text, today)).toBe(date)
  })

  test('is the same whether or not its numbers are separated', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(days, fc.constantFrom('-', '/', '.', ' ', ''), (date, between) => {
        const iso = date.toISOString().slice(0, 10)
        expect(typedDate(iso.replaceAll('-', between))).toBe(iso)
      }),
    )
  })

  test('is a date or stays as typed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const read = typedDate(text, today)
        const isDate = !(partialDate.read(read, 0) instanceof InvalidValue)
        expect(isDate || /^\d{4}-/.test(read) || read === text.normalize('NFKC').trim()).toBe(true)
      }),
    )
  })

  test.each(['2000s', '２０００年代', '90年代', "'90s", '00s'])('%s is ten years', (text) => {
    expect(isDecade(text)).toBe(true)
  })

  test.each(['2000', '2005年', '5s', ''])('%s is not', (text) => {
    expect(isDecade(text)).toBe(false)
  })
})
