import { maskSecrets } from './lib/masked'

/** Not for secrets and tokens; those that get here are masked. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>

export type Log = (event: string, facts?: Facts) => void

/** `write` gets a line per event, without line end. Control characters are escaped: no value can forge a line. */
export function createLog(options: { json: boolean; now(): number; write(line: string): void }): Log {
  return (event, given = {}) => {
    const time = new Date(options.now()).toISOString()
    const facts = masked(given)
    options.write(options.json ? JSON.stringify({ time, event, ...facts }) : plain(time, event, facts))
  }
}

function masked(facts: Facts): Facts {
  const entries = Object.entries(facts)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? maskSecrets(value) : value]),
  )
}

function plain(time: string, event: string, facts: Facts): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined)
  return [time.slice(11, 19), event, ...shown.map(([name, value]) => `${name}=${quote(value)}`)].join(' ')
}

function quote(value: unknown): string {
  const text = String(value)
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text)
}
