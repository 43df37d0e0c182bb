import Type, { type Static } from 'typebox'
import { hiragana } from '../../../catalogue/hiragana'
import { isObject, parseJson } from '../../../catalogue/import/file/json'
import { checkOf } from '../../../values/value'
import { isZip, type ZipMember, zipMembers } from '../../packed/zip'
import { type AnswerBody, ShapeError } from '../../source'

export interface MadbResource {
  readonly id: string
  readonly media: 'tv' | 'movie'
  readonly title: string
  readonly year: number
  /** In hiragana. */
  readonly kana: string | undefined
  /** `[role]name ／ [role]name` */
  readonly contributor: string
  readonly company: string
  /** `【character】name ／ 【character】name` */
  readonly actor: string
}

const Text = Type.Union([
  Type.String(),
  Type.Object({ '@value': Type.String(), '@language': Type.Optional(Type.String()) }),
])
type Text = Static<typeof Text>
const Texts = Type.Optional(Type.Union([Text, Type.Array(Text)]))

const Described = Type.Object({
  'schema:identifier': Type.String({ pattern: '^[A-Z][0-9]+$' }),
  'schema:genre': Type.String(),
  'schema:name': Texts,
  'schema:startDate': Texts,
  'schema:datePublished': Texts,
  'schema:contributor': Texts,
  'schema:productionCompany': Texts,
  'schema:actor': Texts,
})

/** Reads a JSON-LD file, or all of those in a zip. Throws a `ShapeError`. */
export async function resourcesIn(body: AnswerBody): Promise<readonly MadbResource[]> {
  if (!(await isZip(body))) return resourcesOf('the file', await body.text())
  const resources: MadbResource[] = []
  for (const member of await zipMembers(body))
    if (/\.json(?:ld)?$/.test(member.name)) resources.push(...resourcesOf(member.name, await textOf(member)))
  return resources
}

async function textOf({ name, bytes }: ZipMember): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes()) {
    size += piece.length
    if (size > mostBytes) throw new ShapeError(name, `has more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const mostBytes = 256 * 2 ** 20

function resourcesOf(name: string, text: string): MadbResource[] {
  const value = parseJson(text)
  const graph: unknown = isObject(value) ? value['@graph'] : undefined
  if (!Array.isArray(graph)) throw new ShapeError(name, 'is no JSON-LD with a @graph')
  return graph.flatMap((described) => (isShaped(described) ? (resourceOf(described) ?? []) : []))
}

const isShaped = checkOf(Described)

function resourceOf(described: Static<typeof Described>): MadbResource | undefined {
  const media = mediaOf.get(described['schema:genre'])
  const names = listOf(described['schema:name'])
  const title = names.find((name) => typeof name === 'string')
  const began = textIn(described['schema:startDate']) || textIn(described['schema:datePublished'])
  const year = Number(/^\d{4}/.exec(began)?.[0])
  if (media === undefined || typeof title !== 'string' || !year) return undefined
  const kana = names.find((name) => typeof name !== 'string' && /^ja-hrkt$/i.test(name['@language'] ?? ''))
  return {
    id: described['schema:identifier'],
    media,
    title,
    year,
    kana: typeof kana === 'object' ? hiragana(kana['@value'].normalize('NFKC')) : undefined,
    contributor: textIn(described['schema:contributor']),
    company: textIn(described['schema:productionCompany']),
    actor: textIn(described['schema:actor']),
  }
}

const mediaOf = new Map<string, MadbResource['media']>([
  ['アニメテレビレギュラーシリーズ', 'tv'],
  ['アニメテレビスペシャルシリーズ', 'tv'],
  ['アニメ映画シリーズ', 'movie'],
  ['アニメ映画', 'movie'],
])

const listOf = (texts: Text | Text[] | undefined): readonly Text[] => [texts ?? []].flat()

const textIn = (texts: Text | Text[] | undefined): string =>
  listOf(texts)
    .map((text) => (typeof text === 'string' ? text : text['@value']))
    .join(' ／ ')
