import Type from 'typebox'
import { inEnglish } from '../../../messages/languages'
import { InvalidValue, orNumber, type Value } from '../../../values/value'
import { instant, interval, key, lineText, lineTextUpTo } from '../kinds/cells'
import type { Kind } from '../kinds/field'
import { isObject } from './json'
import { limits } from './limits'

export interface Stream {
  readonly site: string
  readonly externalId: string
  readonly beginAt: number | null
  readonly interval: string
}

/** The lists in a work's line. Undefined leaves a list unchanged, an empty one clears it. */
export interface WorkLists {
  readonly aliases?: readonly string[]
  /** Names used only by searches. */
  readonly search_names?: readonly string[]
  /** Readings of titles in kana with spaces between words, used only by searches. */
  readonly search_readings?: readonly string[]
  readonly series?: readonly string[]
  readonly streams?: readonly Stream[]
}

/** Returns an error sentence if a list breaks a rule. */
export function readLists(kind: Kind, line: Record<string, unknown>): WorkLists | string {
  if (kind.lists === undefined) return none
  let lists: WorkLists = none
  for (const [name, read] of textLists) {
    const texts = readTexts(name, line[name], read)
    if (typeof texts === 'string') return texts
    lists = { ...lists, ...texts }
  }
  const streams = readStreams(line.streams)
  if (typeof streams === 'string') return streams
  return { ...lists, ...streams }
}

function readTexts(name: TextList, list: unknown, value: Value<string>): WorkLists | string {
  if (list === undefined) return none
  if (list !== null && !Array.isArray(list)) return `${name} must be a list`
  if (list !== null && list.length > limits[name]) return `${name} must not hold more than ${limits[name]}`
  const texts = new Set<string>()
  for (const one of list ?? []) {
    const text = value.take(one)
    if (text instanceof InvalidValue) return `${name} ${inEnglish(text.rule)}`
    if (text.trim() !== '') texts.add(text)
  }
  return { [name]: [...texts] }
}

function readStreams(value: unknown): WorkLists | string {
  if (value === undefined) return none
  if (value !== null && !Array.isArray(value)) return 'streams must be a list'
  if (value !== null && value.length > limits.streams)
    return `streams must not hold more than ${limits.streams}`
  // A site may list the same id twice; the last one counts.
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
  const site = siteText.take(value.site)
  if (site instanceof InvalidValue || !/^[\w-]+$/.test(site)) return 'site must be a word'
  const externalId = idText.take(value.id ?? '')
  if (externalId instanceof InvalidValue) return `id ${inEnglish(externalId.rule)}`
  const beginAt = value.begin === undefined || value.begin === null ? null : instant.take(value.begin)
  if (beginAt instanceof InvalidValue) return `begin ${inEnglish(beginAt.rule)}`
  const every = interval.take(value.interval ?? '')
  if (every instanceof InvalidValue) return `interval ${inEnglish(every.rule)}`
  return { site, externalId, beginAt, interval: every }
}

type TextList = Exclude<keyof WorkLists, 'streams'>

const none: WorkLists = {}
const textLists: readonly (readonly [TextList, Value<string>])[] = [
  ['aliases', lineText],
  ['search_names', lineText],
  ['search_readings', lineText],
  ['series', key],
]
const siteText = lineTextUpTo(40)
const idText = orNumber(lineTextUpTo(500), Type.Number())
