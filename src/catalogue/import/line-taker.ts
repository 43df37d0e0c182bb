import { parseJson } from './file/json'
import { type Line, readLine } from './file/line'
import { importLine } from './import-line'
import type { Unresolved } from './rows/resolve'
import type { Run } from './run'

export type Taken = 'done' | 'later' | Unresolved

/** `atEnd`: there are no later lines to wait for. May stop after each `yield`. */
export function* takeLine(
  run: Run,
  number: number,
  bytes: Uint8Array,
  atEnd: boolean,
): Generator<void, Taken> {
  // An unchanged line is not even parsed.
  const hash = hashOf(bytes)
  const claim = run.claims.unchanged(hash)
  if (claim !== undefined) {
    run.tally.count(claim.kind, 'unchanged')
    return 'done'
  }
  const line = parsed(run, number, bytes)
  if (line === undefined) return 'done'
  const outcome = yield* importLine(run, line, hash, atEnd)
  if (outcome === 'done' || outcome === 'later' || typeof outcome !== 'string') return outcome
  run.tally.problem(number, `${nameOf(line)}: ${outcome}`)
  return 'done'
}

export function giveUpLine(run: Run, number: number, bytes: Uint8Array, { kind, key }: Unresolved): void {
  const line = parsed(run, number, bytes)
  if (line === undefined) return
  run.tally.count(line.kind.name, 'unresolved')
  run.tally.problem(number, `${nameOf(line)}: ${kind} ${JSON.stringify(key)} is unknown`)
}

function parsed({ tally }: Run, number: number, bytes: Uint8Array): Line | undefined {
  const text = decoded(bytes)
  const value = text === undefined ? undefined : parseJson(text)
  if (value === undefined) {
    tally.problem(number, `the line is not valid ${text === undefined ? 'UTF-8' : 'JSON'}`)
    return undefined
  }
  const line = readLine(value, (sentence) => tally.warn(sentence))
  if (typeof line !== 'string') return line
  tally.problem(number, line)
  return undefined
}

/** Undefined if the line is not UTF-8. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The lower 53 bits of the line's xxHash64. */
export const hashOf = (line: Uint8Array) => Number(Bun.hash.xxHash64(line) & 0x1fffffffffffffn)

const nameOf = ({ kind, key }: Line) =>
  key === undefined ? kind.name : `${kind.name} ${JSON.stringify(key)}`
