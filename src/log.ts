import { currentRequest } from './lib/current-request'
import { maskSecrets } from './lib/masked'
import type { LogBudget } from './log/budget'
import { type Facts, type Level, type LogEvent, levelOf, levels } from './log/levels'

/** A line written during a request gets the request's `id`. */
export type Log = (event: LogEvent, facts?: Facts) => void

export interface LogOptions {
  readonly format: 'human' | 'json'
  /** The least urgent level to write. */
  readonly level: Level
  /** Undefined for no limit. */
  readonly budget: LogBudget | undefined
  /** Epoch milliseconds. */
  now(): number
  /** `mayWait`: for more lines. Only those of requests may, unless they are a warning. */
  write(line: string, mayWait: boolean): void
}

/** One line per event. Control characters are escaped: no value can forge a line. */
export function createLog(options: LogOptions): Log {
  const { budget, now, write } = options
  const least = levels.indexOf(options.level)
  const timeText = textsOfTimes()
  const format = lineFormats[options.format]
  const lineOf = (level: Level, event: LogEvent, facts: Facts, id?: string) =>
    format({ time: timeText(now()), level, event, id, facts })
  return (event, facts = {}) => {
    const level = levelOf(event, facts)
    if (levels.indexOf(level) > least) return
    const line = lineOf(level, event, facts, currentRequest())
    const mayWait = event === 'request' && level !== 'warn'
    if (budget?.take(event, Buffer.byteLength(line) + 1) ?? true) write(line, mayWait)
    const missed = budget?.note()
    if (missed !== undefined) write(lineOf('warn', 'log_limited', missed), false)
  }
}

/** Many lines have the same time. */
function textsOfTimes(): (time: number) => string {
  let [last, text] = [Number.NaN, '']
  return (time) => {
    if (time !== last) [last, text] = [time, new Date(time).toISOString()]
    return text
  }
}

interface Line {
  readonly time: string
  readonly level: Level
  readonly event: LogEvent
  /** Of the current request, unless the facts have one. */
  readonly id: string | undefined
  readonly facts: Facts
}

/** They add fact by fact: a line is written for every request. */
const lineFormats = {
  json: ({ time, level, event, id, facts }: Line) => {
    let line = `{"time":"${time}","level":"${level}","event":"${event}"`
    eachFact(id, facts, (name, value) => {
      line += `,"${name}":${JSON.stringify(value)}`
    })
    return `${line}}`
  },
  human: ({ time, level, event, id, facts }: Line) => {
    let line = `${time.slice(11, 19)} ${level.padEnd(5)} ${event}`
    eachFact(id, facts, (name, value) => {
      line += ` ${name}=${quote(value)}`
    })
    return line
  },
}

type Fact = string | number | boolean | null

/** The id comes first. */
function eachFact(id: string | undefined, facts: Facts, add: (name: string, value: Fact) => void): void {
  const ownId = facts.id ?? id
  if (ownId !== undefined) add('id', shown(ownId))
  for (const name in facts) {
    const value = facts[name]
    if (value !== undefined && name !== 'id') add(name, shown(value))
  }
}

/** In characters: a URL may have 65,536, a stack trace thousands. */
const longestValue = 2000

/** Masked before it is cut: part of a secret would not be recognized. */
const shown = (value: Fact): Fact => (typeof value === 'string' ? cut(maskSecrets(value)) : value)

const cut = (text: string) =>
  text.length <= longestValue
    ? text
    : `${text.slice(0, longestValue).toWellFormed()}… (${text.length} characters)`

function quote(value: unknown): string {
  const text = String(value)
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text)
}
