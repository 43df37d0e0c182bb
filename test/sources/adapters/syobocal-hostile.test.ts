import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { syobocal } from '../../../src/sources/adapters/syobocal'
import { catalogueStore } from '../../support/catalogue-store'
import { answerBody, knownOf, scope } from '../../support/source-run'

const store = await catalogueStore()
afterAll(() => store.close())

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aあ*:#-～[]()「」・／、&<>"\t\n 1２0'), maxLength: 40 }),
  fc.constantFrom('長'.repeat(2000), '*99999*a', '#1～#3', 'wikipedia:a b#c,d', '\u{1f600}'.repeat(300)),
)
const number = fc.constantFrom('', '0', '1', '2', '7', '-1', '999999999')
const lines = fc.array(
  fc.oneof(text, fc.constantFrom('*スタッフ', ':監督・脚本:青井凪、灯', '*キャスト', ':トワ／母:水瀬')),
  {
    maxLength: 12,
  },
)

const record = (model: Record<string, fc.Arbitrary<string>>) => fc.record(model)
const id = fc.constantFrom('1', '2', '3', '0', '-5')
const whole = lines.map((all) => all.join('\n'))

const title = record({
  ...{ TID: id, Title: text, ShortTitle: text, TitleYomi: text, TitleEN: text, Comment: whole },
  ...{
    Cat: fc.constantFrom('1', '3', '7', '8', '10'),
    FirstYear: number,
    FirstMonth: number,
    Keywords: text,
  },
  SubTitles: lines.map((all) => all.map((line, n) => `*${n}*${line}`).join('\n')),
})
const program = record({
  ...{ PID: id, TID: id, ChID: id, StTime: fc.constantFrom('2026-11-15 00:30:00', '0001-01-01 00:00:00') },
  ...{ StOffset: number, Count: number, SubTitle: text, STSubTitle: text, Flag: number, Deleted: number },
})
const channel = record({ ChID: id, ChName: text, ChGID: number })
const group = record({ ChGID: id, ChGroupName: text, ChGroupOrder: number })

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const xml = (name: string, items: readonly Readonly<Record<string, string>>[]) =>
  `<R><Result><Code>200</Code></Result><Items>${items
    .map((item) => {
      const fields = Object.entries(item).map(([field, value]) => `<${field}>${escaped(value)}</${field}>`)
      return `<${name}>${fields.join('')}</${name}>`
    })
    .join('')}</Items></R>`

const read = (as: string, name: string, items: readonly Readonly<Record<string, string>>[]) =>
  syobocal.read(as, answerBody(xml(name, items)), { location: undefined })

test('whatever people write into titles and broadcasts, the lines can be imported', async () => {
  const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      some(title),
      some(program),
      some(channel),
      some(group),
      async (titles, programs, channels, groups) => {
        const answers = [
          await read('ProgLookup', 'ProgItem', programs),
          await read('TitleLookup', 'TitleItem', titles),
          await read('ChLookup', 'ChItem', channels),
          await read('ChGroupLookup', 'ChGroupItem', groups),
        ]
        const [header = { type: '' }, ...rows] = await Array.fromAsync(
          syobocal.lines(answers, knownOf([]), scope),
        )
        const report = await store.load(header, rows, { dryRun: true, matchTitles: true })
        expect(report.problems).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)
