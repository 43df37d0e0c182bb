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
  const { format, budget, now, write } = options
  const least = levels.indexOf(options.level)
  const lineOf = (level: Level, event: LogEvent, facts: Facts) => {
    const time = new Date(now()).toISOString()
    const shown = masked(facts)
    return format === 'json'
      ? JSON.stringify({ time, level, event, ...shown })
      : human(time, level, event, shown)
  }
  return (event, facts = {}) => {
    const level = levelOf(event, facts)
    if (levels.indexOf(level) > least) return
    const line = lineOf(level, event, { id: currentRequest(), ...facts })
    const mayWait = event === 'request' && level !== 'warn'
    if (budget?.take(event, Buffer.byteLength(line) + 1) ?? true) write(line, mayWait)
    const missed = budget?.note()
    if (missed !== undefined) write(lineOf('warn', 'log_limited', missed), false)
  }
}

/** In characters: a URL may have 65,536, a stack trace thousands. */
const longestValue = 2000

/** Masked before it is cut: part of a secret would not be recognized. */
function masked(facts: Facts): Facts {
  const entries = Object.entries(facts)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? cut(maskSecrets(value)) : value]),
  )
}

const cut = (text: string) =>
  text.length <= longestValue
    ? text
    : `${text.slice(0, longestValue).toWellFormed()}… (${text.length} characters)`

function human(time: string, level: Level, event: LogEvent, facts: Facts): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined)
  const words = shown.map(([name, value]) => `${name}=${quote(value)}`)
  return [time.slice(11, 19), level.padEnd(5), event, ...words].join(' ')
}

function quote(value: unknown): string {
  const text = String(value)
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text)
}
