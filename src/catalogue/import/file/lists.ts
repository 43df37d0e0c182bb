import { Flaw, instant, interval, key, type Reader, text } from '../kinds/cells'
import type { Kind } from '../kinds/field'
import { isObject } from './json'
import { limits } from './limits'

/** Where a work can be streamed. */
export interface Stream {
  readonly site: string
  readonly externalId: string
  readonly beginAt: number | null
  readonly interval: string
}

/** What a line of a work says about lists; undefined: nothing, an empty list: that there are none. */
export interface Lists {
  readonly aliases?: readonly string[]
  /** Names that only a search reads. */
  readonly search_names?: readonly string[]
  /** Readings of titles in kana that only a search reads, with spaces between words. */
  readonly search_readings?: readonly string[]
  /** Keys of series. */
  readonly series?: readonly string[]
  readonly streams?: readonly Stream[]
}

/** Reads the lists of a line; a text is the rule one of them breaks. */
export function readLists(kind: Kind, line: Record<string, unknown>): Lists | string {
  if (kind.lists === undefined) return none
  let lists: Lists = none
  for (const [name, read] of textLists) {
    const texts = readTexts(name, line[name], read)
    if (typeof texts === 'string') return texts
    lists = { ...lists, ...texts }
  }
  const streams = readStreams(line.streams)
  if (typeof streams === 'string') return streams
  return { ...lists, ...streams }
}

function readTexts(name: TextList, value: unknown, read: Reader): Lists | string {
  if (value === undefined) return none
  if (value !== null && !Array.isArray(value)) return `${name} must be a list`
  if (value !== null && value.length > limits[name]) return `${name} must not hold more than ${limits[name]}`
  const texts = new Set<string>()
  for (const one of value ?? []) {
    const found = read(one)
    if (found instanceof Flaw) return `${name} ${found.rule}`
    if (String(found).trim() !== '') texts.add(String(found))
  }
  return { [name]: [...texts] }
}

function readStreams(value: unknown): Lists | string {
  if (value === undefined) return none
  if (value !== null && !Array.isArray(value)) return 'streams must be a list'
  if (value !== null && value.length > limits.streams)
    return `streams must not hold more than ${limits.streams}`
  // A site that lists a work twice under one id says the same thing twice; the last one counts.
  const streams = new Map<string, Stream>()
  for (const one of value ?? []) {
    const stream = readStream(one)
    if (typeof stream === 'string') return `streams: ${stream}`
    streams.set(`${stream.site}\0${stream.externalId}`, stream)
  }
  return { streams: [...streams.values()] }
}

function readStream(value: unknown): Stream | string {
  if (!isObject(value)) return 'each must be an object'
  const site = siteText(value.site)
  if (typeof site !== 'string' || !/^[\w-]+$/.test(site)) return 'site must be a word'
  const id = idText(typeof value.id === 'number' ? String(value.id) : (value.id ?? ''))
  if (typeof id !== 'string') return `id ${id instanceof Flaw ? id.rule : ''}`
  const begin = value.begin === undefined || value.begin === null ? null : instant(value.begin)
  if (begin instanceof Flaw) return `begin ${begin.rule}`
  const every = interval(value.interval ?? '')
  if (every instanceof Flaw) return `interval ${every.rule}`
  return { site, externalId: id, beginAt: begin === null ? null : Number(begin), interval: String(every) }
}

type TextList = Exclude<keyof Lists, 'streams'>

const none: Lists = {}
const aliasText = text()
const textLists: readonly (readonly [TextList, Reader])[] = [
  ['aliases', aliasText],
  ['search_names', aliasText],
  ['search_readings', aliasText],
  ['series', key],
]
const siteText = text(40)
const idText = text(500)
