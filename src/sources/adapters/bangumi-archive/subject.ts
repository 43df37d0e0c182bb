import Type, { type Static } from 'typebox'
import { isDate } from '../../../catalogue/default/times'
import { checkOf } from '../../../values/value'
import type { Known } from '../../known'
import { otherNames } from '../../other-names'
import { type CatalogueLine, ShapeError } from '../../source'

const Subject = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  type: Type.Literal(2),
  name: Type.String(),
  name_cn: Type.String(),
  infobox: Type.String(),
  platform: Type.Integer(),
  nsfw: Type.Optional(Type.Boolean()),
  date: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

type Subject = Static<typeof Subject>

/** Undefined for anything but anime, such as books. */
export function readSubject(value: unknown): Subject | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'number')
    throw new ShapeError('subject.jsonlines', 'has a subject without a type')
  if (value.type !== anime) return undefined
  if (isShaped(value)) return value
  throw new ShapeError('subject.jsonlines', 'has an anime of another shape')
}

const anime = 2
const isShaped = checkOf(Subject)

/** Adds other titles and a count to works in the catalogue. Leaves out new works that are adult or have no name. */
export function workLine(subject: Subject, known: Known): CatalogueLine | undefined {
  const { id, name, name_cn, platform } = subject
  const title = name.trim()
  const work = known.work('bangumi', String(id))
  if (work === undefined && (title === '' || subject.nsfw === true)) return undefined
  const box = readInfobox(subject.infobox)
  const media = work?.media ?? mediaOf.get(platform) ?? 'other'
  const [count] = box.get('话数') ?? []
  const names = [title, name_cn, ...(box.get('别名') ?? [])].map((name) => name.trim())
  return {
    type: 'work',
    key: `bangumi:${id}`,
    ids: { bangumi: id },
    ...(work === undefined && { title, media, ...newFields(subject, box) }),
    aliases: otherNames(work?.title ?? title, names),
    ...(media === 'movie' && { no_episodes: true }),
    ...(media !== 'movie' && /^[1-9]\d{0,3}$/.test(count ?? '') && { episodes_estimate: Number(count) }),
  }
}

/**
 * The values in bangumi's wiki text by name: `|话数= 12` is one; `|别名={`, lines of `[…]` or `[name|…]`, and `}` are
 * several. Leaves out everything else.
 */
export function readInfobox(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  let list: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^\|([^=]*)=(.*)$/.exec(line) ?? []
    if (name !== '') list = open(values, name.trim(), value.trim())
    else if (line.trim() === '}') list = undefined
    else push(list, /^\s*\[(.*)\]\s*$/.exec(line)?.[1])
  }
  return values
}

/** The list that the following lines belong to. */
function open(values: Map<string, string[]>, name: string, value: string): string[] | undefined {
  const isList = value === '{'
  const list: string[] = isList || value === '' ? [] : [value]
  values.set(name, list)
  return isList ? list : undefined
}

function push(list: string[] | undefined, item: string | undefined): void {
  const value = item?.slice(item.indexOf('|') + 1).trim()
  if (value) list?.push(value)
}

const mediaOf = new Map([
  [1, 'tv'],
  [2, 'ova'],
  [3, 'movie'],
  [5, 'web'],
])

function newFields({ date }: Subject, box: ReadonlyMap<string, readonly string[]>) {
  const [year, month, day] =
    /(\d{4})年(\d{1,2})月(\d{1,2})日/.exec(box.get('放送开始')?.[0] ?? '')?.slice(1) ?? []
  const begun = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const released = [date ?? '', begun].find(isDate)
  const site = box.get('官方网站')?.find((url) => /^https?:\/\/[^\s]+$/.test(url))
  return {
    ...(released !== undefined && { released_on: released }),
    ...(site !== undefined && { official_site_url: site }),
  }
}
