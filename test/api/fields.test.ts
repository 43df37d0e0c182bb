import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Json, parseFields, select } from '../../src/api/fields'
import { endpoints } from '../../src/app'
import { readingTarget } from '../support/examples'
import { type Body, createInstance, itemsOf, pathsOf, refusals, targetOf } from '../support/instance'
import { seedImports } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedImports })
const { get, json } = kiroku
afterAll(kiroku.close)

const envelope = new Set(['total_count', 'next_page', 'prev_page'])

/** Endpoints that return JSON. */
const reading = endpoints.filter(
  ({ method, operation }) => method === 'GET' && operation.answer.contentType === undefined,
)

/** What D16 selects, implemented a second time: by the dotted path of every value. */
function expected(value: Body, wanted: readonly string[], at = ''): Body {
  if (Array.isArray(value)) return value.map((item) => expected(item, wanted, at) ?? {})
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, inside]): [string, Body][] => {
    const path = at === '' ? name : `${at}.${name}`
    if (wanted.includes(path)) return [[name, inside]]
    if (!wanted.some((one) => one.startsWith(`${path}.`))) return []
    if (inside === null) return [[name, null]]
    if (typeof inside !== 'object') return []
    const within = expected(inside, wanted, path)
    return Object.keys(within).length === 0 ? [] : [[name, within]]
  })
  return Object.fromEntries(kept)
}

for (const { path: declared, operation } of reading) {
  const path = targetOf(declared)
  const target = (params: Record<string, string> = {}) => readingTarget(declared, params)
  const isList = 'page' in operation.params
  describe(`fields of ${path}`, async () => {
    const whole = await json(target())
    const items = isList ? itemsOf(whole) : [whole]
    const paths = pathsOf(items)
    const shown = async (fields: string) => {
      const body = await json(target({ fields }))
      return isList ? itemsOf(body) : [body]
    }

    test('a name selects exactly that, objects as a whole, in the order of the shape', async () => {
      for (const one of paths) {
        const selected = await shown(one)
        expect(selected).toEqual(items.map((item) => expected(item, [one])))
      }
      expect(await shown(paths.toReversed().join(','))).toEqual(items)
      expect(JSON.stringify(await shown(paths.toReversed().join(',')))).toBe(JSON.stringify(items))
    })

    test('unknown names select nothing, and never remove the page numbers', async () => {
      for (const fields of [
        'nothing',
        ',',
        '.',
        '..',
        'id.x',
        '__proto__',
        'constructor',
        'constructor.name',
      ]) {
        expect(await shown(fields)).toEqual(items.map(() => ({})))
      }
      for (const fields of [
        '__proto__.__proto__',
        'to_string',
        'work.__proto__',
        'work.constructor',
        'total_count',
      ]) {
        expect(await shown(fields)).toEqual(items.map((item) => expected(item, [fields])))
      }
      if (!isList) return
      const body = await json(target({ fields: 'id' }))
      for (const name of envelope) expect(body[name]).toEqual(whole[name])
    })

    test('any selection of its fields returns those, in the order of the shape', async () => {
      const wanted = fc.array(fc.oneof(fc.constantFrom(...paths), fc.constantFrom('x', 'id.x', '')), {
        minLength: 1,
      })
      await fc.assert(
        fc.asyncProperty(wanted, async (chosen) => {
          if (chosen.join(',') === '') return
          const selected = await shown(chosen.join(','))
          const names = chosen.filter((name) => paths.includes(name))
          expect(JSON.stringify(selected)).toBe(JSON.stringify(items.map((item) => expected(item, names))))
        }),
      )
    })

    test('any text made of the allowed characters is answered', async () => {
      const names = fc.string({
        unit: fc.constantFrom(...'aeiklmnortuw019_.,,..'),
        minLength: 1,
        maxLength: 60,
      })
      await fc.assert(
        fc.asyncProperty(names, async (fields) => expect((await get(target({ fields }))).status).toBe(200)),
      )
    })

    test.each([
      'ID',
      'id title',
      '*',
      'id;title',
      'work[title]',
      'ｉｄ',
      'id\n',
      '"id"',
      '-id',
      'work/title',
    ])('%j is refused', async (fields) => {
      const said = await refusals(await get(target({ fields })), 'invalid_params')
      expect(said).toEqual([expect.stringMatching(/^fields must /)])
    })

    test('a very long selection is answered', async () => {
      const many = Array.from({ length: 3000 }, (_, at) => `work.a${at}`)
      expect(await shown(['id', ...many].join(','))).toEqual(
        items.map((item) => expected(item, ['id', ...many])),
      )
      const deep = `${'work.'.repeat(5000)}id`
      expect(await shown(`${deep},id`)).toEqual(items.map((item) => expected(item, [deep, 'id'])))
    })
  })
}

test('a field inside an object, an object inside an object, and null for a missing one', async () => {
  const asked =
    '/v1/episodes?filter_ids=4,1&fields=id,work.title,work.images.facebook,prev_episode.id,next_episode.title'
  const work = { title: '星降る庭', images: { facebook: { og_image_url: 'https://hoshi.example/og.png' } } }
  expect((await json(asked)).episodes).toEqual([
    { id: 1, work, prev_episode: { id: 3 }, next_episode: null },
    { id: 4, work, prev_episode: null, next_episode: { title: '夜' } },
  ])
})

test('of a staff, only the part that exists appears', async () => {
  const { staffs } = await json('/v1/staffs?fields=id,person.name,organization.name')
  expect(staffs).toEqual([
    { id: 1, person: { name: '青井ミナト' } },
    { id: 2, organization: { name: '青井ミナト' } },
    { id: 3, person: { name: 'ﾊﾙ' } },
  ])
})

describe('selecting from any value', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd_1', '__proto__', 'constructor')
  const leaf: fc.Arbitrary<Json> = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.boolean())
  const { value } = fc.letrec<{ value: Json; object: { [name: string]: Json } }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), fc.array(tie('object'), { maxLength: 3 })),
    object: fc.dictionary(names, tie('value')),
  }))
  const object = fc.dictionary(names, value)
  const fields = fc.array(fc.array(names, { minLength: 1, maxLength: 4 })).map((all) => {
    return all.map((path) => path.join('.')).join(',')
  })

  test('twice is the same as once', () => {
    fc.assert(
      fc.property(object, fields, (from, chosen) => {
        const once = select(from, parseFields(chosen))
        expect(select(once, parseFields(chosen))).toEqual(once)
      }),
    )
  })

  test('never invents a name, and keeps the order', () => {
    fc.assert(
      fc.property(object, fields, (from, chosen) => {
        const selected = select(from, parseFields(chosen))
        const order = Object.keys(from).filter((name) => Object.hasOwn(selected, name))
        expect(Object.keys(selected)).toEqual(order)
        expect(pathsOf(from)).toEqual(expect.arrayContaining(pathsOf(selected)))
      }),
    )
  })
})
