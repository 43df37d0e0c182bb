import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { kirokuPack } from '../../../src/sources/adapters/kiroku'
import { canonicalJson, signedBytes } from '../../../src/sources/adapters/kiroku/signature'
import { ShapeError } from '../../../src/sources/source'
import { catalogueStore } from '../../support/catalogue-store'
import { fixture, runAdapter } from '../../support/source-run'

const pair = await newPair()
const other = await newPair()
const source = kirokuPack([other.publicKey, pair.publicKey])
const pack = await fixture('kiroku-pack/catalogue-2026-11-20.jsonl')
const manifest: Record<string, unknown> = JSON.parse(await fixture('kiroku-pack/catalogue.json'))

const store = await catalogueStore()
afterAll(() => store.close())

test('a signed pack yields its lines, and importing them again changes nothing', async () => {
  const { lines, state, asked } = await taken({})
  expect(lines.map((line) => `${JSON.stringify(line)}\n`).join('')).toBe(pack)
  expect(state).toEqual({ place: '', version: '2026.11.20', isTaken: true })
  expect(asked).toEqual(['catalogue.json', 'catalogue-2026-11-20.jsonl'])
  const [header = {}, ...rows] = lines
  expect((await store.load(header, rows)).counts.work).toMatchObject({ created: 1 })
  const { counts, problems } = await store.load(header, rows)
  expect(problems).toEqual([])
  expect(counts.work).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
})

test('a packed file yields the same lines, by the size and hash of the published file', async () => {
  const packed = Bun.zstdCompressSync(pack)
  const { lines } = await taken(
    { file: 'catalogue.jsonl.zst', size: packed.length, sha256: sha256(packed) },
    { pack: packed },
  )
  expect(lines).toEqual((await taken({})).lines)
})

test('a version is imported once, another one later, and the same one again only when everything is requested', async () => {
  const { state } = await taken({})
  expect(await taken({}, { state })).toMatchObject({ lines: [], state, asked: ['catalogue.json'] })
  expect((await taken({}, { state, isFull: true })).lines).toHaveLength(2)
  expect((await taken({}, { state: { ...state, isTaken: false } })).lines).toHaveLength(2)
  const later = await taken({ version: '2026.11.100' }, { state })
  expect(later).toMatchObject({ state: { version: '2026.11.100' } })
  expect(later.lines).toHaveLength(2)
})

test.each([
  ['https://packs.example/kiroku', 'https://packs.example/kiroku/catalogue.json'],
  ['https://packs.example/kiroku/', 'https://packs.example/kiroku/catalogue.json'],
  ['https://packs.example/kiroku/catalogue.json', 'https://packs.example/kiroku/catalogue.json'],
  ['/srv/packs', 'catalogue.json'],
])('at %s the manifest is %s, and the pack is beside it', async (location, at) => {
  const { asked, state } = await taken({}, { location })
  expect(asked).toEqual([at, at.replace('catalogue.json', 'catalogue-2026-11-20.jsonl')])
  expect(state.place).toBe(location)
})

test('a lower version is refused at the location that had a higher one, and accepted at another', async () => {
  const { state } = await taken({}, { location: '/srv/packs' })
  const version = '2026.9.30'
  expect(await refusal({ version }, { state, location: '/srv/packs' })).toBe(
    'catalogue.json has version 2026.9.30, lower than 2026.11.20, the last one taken',
  )
  expect((await taken({ version }, { state, location: '/srv/others' })).lines).toHaveLength(2)
})

test('a key that the administrator adds to the location is accepted too', async () => {
  const stranger = await newPair()
  const location = `/srv/packs#ed25519=${stranger.publicKey}`
  expect(await refusal({}, { signer: stranger, location: '/srv/packs' })).toMatch(/not signed by a key/)
  const { lines, state } = await taken({}, { signer: stranger, location })
  expect(lines).toHaveLength(2)
  expect(state.place).toBe('/srv/packs')
  for (const fragment of ['', 'ed25519=', 'ed25519=AAAA', 'rsa=x', `ed25519=${stranger.publicKey}&x=1`])
    expect(await refusal({}, { location: `/srv/packs#${fragment}` })).toMatch(/^location may end in/)
})

test.each([
  ['another host', { file: 'https://evil.example/catalogue.jsonl' }],
  ['a host without a scheme', { file: '//evil.example/catalogue.jsonl' }],
  ['another folder', { file: '../catalogue.jsonl' }],
  ['another folder, encoded', { file: '..%2fcatalogue.jsonl' }],
  ['a folder on Windows', { file: '..\\catalogue.jsonl' }],
  ['an absolute path', { file: '/etc/catalogue.jsonl' }],
  ['a hidden file', { file: '.catalogue.jsonl' }],
  ['a query', { file: 'catalogue.jsonl?x=.jsonl' }],
  ['a line break', { file: 'catalogue.jsonl\n' }],
  ['a huge size', { size: 1e15 }],
  ['no size', { size: 0 }],
  ['a size that is a text', { size: '413' }],
  ['a version that is no number', { version: 'NaN' }],
  ['a number as the version', { version: 2026 }],
  ['a version that is too long', { version: '1.2.3.4.5' }],
  ['a version below zero', { version: '-1' }],
  ['a hash in capitals', { sha256: 'A'.repeat(64) }],
  ['a missing hash', { sha256: undefined }],
  ['sources that are none', { sources: 'x' }],
  ['nested extras', { more: { deep: [1] } }],
])('a manifest with %s is refused, though its signature is good', async (_, change) => {
  expect(await refusal(change)).toMatch(/^catalogue\.json/)
})

test('a newer format is refused as such', async () => {
  expect(await refusal({ format: 2, unheard: [{ of: 1 }] })).toBe(
    'catalogue.json has format 2: this version of kiroku reads 1',
  )
})

test.each(['', 'x', '[]', 'null', '{"format":1', '[[[[ 30,000 times', '<!doctype html>'])(
  'what is no manifest is refused: %p',
  async (what) => {
    const text = what.includes('times') ? '['.repeat(30_000) : what
    expect(await refusalOf(runAdapter(source, { 'catalogue.json': text }))).toMatch(/^catalogue\.json/)
  },
)

test('a wrong signature is refused: a missing one, another key, another manifest, any change', async () => {
  const wrong = /not signed by a key/
  const good = await sealed({})
  for (const signature of ['', 'x', 'AAAA', `${good.signature}AAAA`, undefined])
    expect(await refusalOf(runAdapter(source, answersOf({ ...good, signature })))).toMatch(
      /signature|required/,
    )
  const blank = `${'A'.repeat(86)}==`
  expect(await refusalOf(runAdapter(source, answersOf({ ...good, signature: blank })))).toMatch(wrong)
  expect(await refusal({}, { signer: await newPair() })).toMatch(wrong)
  const { signature } = await sealed({ works: 2 })
  expect(await refusalOf(runAdapter(source, answersOf({ ...good, signature })))).toMatch(wrong)
  for (const change of [{ works: 2 }, { until: '2027-winter' }, { sources: [] }, { added: 1 }])
    expect(await refusalOf(runAdapter(source, answersOf({ ...good, ...change })))).toMatch(wrong)
})

test('a pack that does not match its manifest is refused', async () => {
  expect(await refusal({}, { pack: `${pack}\n` })).toBe(
    'catalogue-2026-11-20.jsonl has 414 bytes, not 413 as catalogue.json says',
  )
  expect(await refusal({}, { pack: pack.replace('星屑', '星層') })).toMatch(/another SHA-256/)
})

test.each([
  ['{"type":"work","key":"a:1","title":"x","media":"tv"}', /does not begin/],
  ['{"type":"catalogue","version":1}', /does not begin/],
  ['{"type":"catalogue","version":1,"name":"admin"}', /that of another source/],
  ['{"type":"catalogue","version":1,"name":"annict"}', /that of another source/],
  ['{"type":"catalogue","version":1,"name":"mine"}\n{"title":"x"}', /without a type/],
  ['{"type":"catalogue","version":1,"name":"mine"}\nnot JSON', /line 2, is no JSON/],
])('a signed file that is no pack is refused: %s', async (text, message) => {
  expect(await refusal({ size: text.length, sha256: sha256(text) }, { pack: text })).toMatch(message)
})

test('a file that unpacks to too much is refused', async () => {
  const bomb = Bun.zstdCompressSync(Buffer.alloc(64 * 2 ** 20, pack))
  const change = { file: 'bomb.jsonl.zst', size: bomb.length, sha256: sha256(bomb) }
  expect(await refusal(change, { pack: bomb })).toMatch(/may unpack to at most 200 times/)
})

test('RFC 8785: keys are sorted by UTF-16 units at every depth, whatever their order in the input', () => {
  expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, b: [{ d: 1, c: 'é\n' }], a: null })).toBe(
    '{"a":null,"b":[{"c":"é\\n","d":1}],"😀":2,"\ufb33":1}',
  )
  const objects = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string(), fc.constant(null)))
  fc.assert(
    fc.property(objects, (object) => {
      const turned = Object.fromEntries(Object.entries(object).toReversed())
      expect(canonicalJson(turned)).toBe(canonicalJson(object))
      expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)))
    }),
  )
})

interface Pair {
  readonly publicKey: string
  readonly privateKey: CryptoKey
}

async function newPair(): Promise<Pair> {
  const made = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('publicKey' in made)) throw new Error('not a pair')
  const { publicKey, privateKey } = made
  const raw = await crypto.subtle.exportKey('raw', publicKey)
  return { publicKey: Buffer.from(raw).toString('base64'), privateKey }
}

/** The fixture's manifest with a change, signed again. */
async function sealed(change: object, { privateKey }: Pair = pair): Promise<Record<string, unknown>> {
  const changed = JSON.parse(JSON.stringify({ ...manifest, ...change }))
  const signature = await crypto.subtle.sign('Ed25519', privateKey, signedBytes(changed))
  return { ...changed, signature: Buffer.from(signature).toString('base64') }
}

interface Offer {
  pack?: string | Uint8Array
  signer?: Pair
  state?: Record<string, unknown>
  location?: string
  isFull?: boolean
}

async function taken(change: object, { pack: file = pack, signer, state, location, isFull }: Offer = {}) {
  const answers = answersOf(await sealed(change, signer), file, location)
  const scope = { isFull: isFull ?? false }
  return await runAdapter(source, answers, { scope, ...(state && { state }), ...(location && { location }) })
}

const refusal = (change: object, offer?: Offer) => refusalOf(taken(change, offer))

async function refusalOf(run: Promise<unknown>): Promise<string> {
  const problem = await run.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(problem).toBeInstanceOf(ShapeError)
  const { message } = problem as ShapeError
  expect(message).not.toInclude('\n')
  return message
}

function answersOf(signed: object, file: string | Uint8Array = pack, location = '') {
  const folder = /^https/.test(location) ? location.replace(/\/?(catalogue\.json)?$/, '/') : ''
  const name = 'file' in signed ? String(signed.file) : ''
  return { [`${folder}catalogue.json`]: JSON.stringify(signed), [`${folder}${name}`]: file }
}

const sha256 = (content: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(content).digest('hex')
