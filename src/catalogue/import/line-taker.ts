import { parseJson } from './file/json'
import { limits } from './file/limits'
import { cleared, type Given, type Line, readLine } from './file/line'
import type { Cell } from './kinds/cells'
import { type Kind, placeOf } from './kinds/field'
import { mergeCredited } from './merge/credits'
import { mergeLine } from './merge/line'
import { noRow } from './rows/claims'
import { correctionOf, matchCorrected } from './rows/correction'
import { createRow } from './rows/create-row'
import { hideByHand, hideRow, isSaidByHand } from './rows/hide-row'
import { matchRow } from './rows/match-row'
import { isUnresolved, type Resolved, resolve, type Unresolved } from './rows/resolve'
import { updateRow } from './rows/update-row'
import { writeParts } from './rows/work-parts'
import { noteStale, type Run } from './run'

export type LineFate = 'done' | 'later' | Unresolved

/** `atEnd`: there are no later lines to wait for. May stop after each `yield`. */
export function* takeLine(
  run: Run,
  number: number,
  bytes: Uint8Array,
  atEnd: boolean,
): Generator<void, LineFate> {
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

type Outcome = 'done' | 'later' | Unresolved | string

/** `atEnd`: there are no later lines to wait for. May stop after each `yield` (merges are long) and be called again. */
function* importLine(run: Run, line: Line, hash: number, atEnd: boolean): Generator<void, Outcome> {
  if (line.mergedInto !== undefined) return yield* mergeLine(run, line, hash)
  mergeCredited(run, line)
  return describeRow(run, line, hash, atEnd)
}

function describeRow(run: Run, line: Line, hash: number, atEnd: boolean): Outcome {
  const gone = line.deleted && !run.corrects ? goneRow(run, line) : undefined
  if (gone !== undefined) return deleteRow(run, line, gone, hash)
  const resolved = resolve(run, line)
  if (isUnresolved(resolved)) return resolved
  if (run.corrects) return correctRow(run, line, resolved, hash, atEnd)
  const cells = line.kind.fields.map((field, at) => cellOf(resolved.given[at], field.blank))
  const match = matchRow(run, line, cells, atEnd)
  if (match.is === 'later') return 'later'
  if (match.is === 'twice') return `key "${line.key}" names a row that an earlier line of this file is about`
  if (match.is === 'merged') return skipMerged(run, line, hash)
  const id = match.is === 'row' ? update(run, line, resolved, match.id) : create(run, line, resolved, cells)
  if (typeof id === 'string') return id
  if (line.deleted) return deleteRow(run, line, id, hash)
  return finish(run, line, id, hash)
}

/** Corrections change rows that are known here; only a row made by hand may be new. */
function correctRow(run: Run, line: Line, resolved: Resolved, hash: number, atEnd: boolean): Outcome {
  const cells = line.kind.fields.map((field, at) => cellOf(resolved.given[at], field.blank))
  const match = matchCorrected(run, line, cells, atEnd)
  if (match.is === 'later') return 'later'
  if (match.is === 'twice') return `key "${line.key}" names a row that an earlier line of this file is about`
  if (match.is === 'new' && line.was === undefined) {
    const id = create(run, line, resolved, cells)
    return typeof id === 'string' ? id : finish(run, line, id, hash)
  }
  if (match.is !== 'row') return skipUnknown(run, line)
  const { id } = match
  const correction = correctionOf(run, line, resolved, id)
  update(run, correction.line, correction, id)
  if (correction.isShortened) touchWork(run, line.kind, id)
  if (correction.line.deleted) run.tally.count(line.kind.name, hideRow(run, line.kind, id))
  return finish(run, line, id, correction.isLeft ? noHash : hash)
}

/** Not remembered, as a later pack may bring the row. */
function skipUnknown({ tally }: Run, line: Line): 'done' {
  tally.count(line.kind.name, 'unresolved')
  tally.corrections?.count('unknown', line)
  return 'done'
}

function touchWork(run: Run, kind: Kind, id: number): void {
  run.handle.query('update works set version = version + 1 where id = ?').run(id)
  noteStale(run, kind, id)
}

/** Of a line that is not done with, so that the next import does not skip it. */
const noHash = 0

function create(run: Run, line: Line, { parts }: Resolved, cells: readonly Cell[]): number | string {
  const { kind } = line
  if (kind.name === 'episode' && isFull(run, cells[placeOf(kind, 'work_id')]))
    return `no work may have more than ${limits.episodesOfWork.toLocaleString('en')} episodes`
  const id = createRow(run, line, cells)
  if (typeof id === 'string') return id
  if (isSaidByHand(run, kind, cells)) hideByHand(run, kind, id)
  writeParts(run, id, parts)
  noteStale(run, kind, id)
  if (!line.deleted) run.tally.count(kind.name, 'created')
  return id
}

function update(run: Run, line: Line, { given, parts }: Resolved, id: number): number {
  const { kind } = line
  const row = updateRow(run, line, given, id)
  const changed = writeParts(run, id, parts) || row.changed
  if (changed) noteStale(run, kind, id)
  run.tally.count(kind.name, changed ? 'updated' : 'unchanged')
  if (row.conflict) run.tally.count(kind.name, 'conflict')
  return id
}

/** The row of a deleted line; an unknown one is created to be hidden if the line describes it, else undefined. */
function goneRow(run: Run, { kind, key = '', given }: Line): number | undefined {
  const known = run.keys.refer(kind.name, key)
  const isDescribed = kind.fields.every((field, at) => field.required !== true || given[at] !== undefined)
  return known === undefined && !isDescribed ? noRow : known
}

function deleteRow(run: Run, line: Line, id: number, hash: number): 'done' {
  run.tally.count(line.kind.name, hideRow(run, line.kind, id))
  return id === noRow ? leaveHash(run, line, hash) : finish(run, line, id, hash)
}

function skipMerged(run: Run, line: Line, hash: number): 'done' {
  run.tally.count(line.kind.name, 'unchanged')
  return leaveHash(run, line, hash)
}

function leaveHash(run: Run, line: Line, hash: number): 'done' {
  run.claims.claim({ kind: line.kind.name, id: noRow }, line.key ?? '', hash)
  return 'done'
}

function finish(run: Run, { kind, key }: Line, id: number, hash: number): 'done' {
  if (key !== undefined) run.keys.addKey(kind.name, key, id)
  run.claims.claim({ kind: kind.name, id }, key ?? String(id), hash)
  return 'done'
}

const isFull = ({ tables }: Run, work: Cell | undefined) =>
  typeof work === 'number' && tables.episodesOf(work) >= limits.episodesOfWork

const cellOf = (given: Given, blank: Cell): Cell => (given === undefined || given === cleared ? blank : given)

export function giveUpLine(run: Run, number: number, bytes: Uint8Array, { kind, key }: Unresolved): void {
  const line = parsed(run, number, bytes)
  if (line === undefined) return
  if (run.corrects) return void skipUnknown(run, line)
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
