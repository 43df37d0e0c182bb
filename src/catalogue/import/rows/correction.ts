import { dropPart, holdersOfPart, type PartName } from '../../edit/parts'
import { numbersOf } from '../../numbers-of'
import { cleared, type Given, type Line, type Was } from '../file/line'
import type { Cell } from '../kinds/cells'
import { type Field, type KindName, placeOf } from '../kinds/field'
import type { Run } from '../run'
import { byHand } from '../source'
import { matchRow, type RowMatch } from './match-row'
import type { Resolved } from './resolve'
import type { Stored } from './tables'
import type { Parts } from './work-parts'

/** What a line of corrections changes in a row here. */
export interface TakenCorrection extends Resolved {
  readonly line: Line
  /** Whether an alias, a series or a stream was removed. */
  readonly isShortened: boolean
  /** Something is left, so that the line is not done with: the next import looks again. */
  readonly isLeft: boolean
}

/** Finds the row as sources know it, before the correction, or else as it should be. */
export function matchCorrected(run: Run, line: Line, cells: readonly Cell[], atEnd: boolean): RowMatch {
  const { was } = line
  if (was === undefined) return orNamed(run, line, cells, matchRow(run, line, cells, atEnd))
  const former = cells.map((cell, at) => formerCell(run, line, was, at) ?? cell)
  const ids = new Map([...line.ids, ...was.ids].filter(([, id]) => id !== null))
  const match = orNamed(run, line, former, matchRow(run, { ...line, ids }, former, atEnd))
  return match.is === 'new' ? matchRow(run, line, cells, atEnd) : match
}

/**
 * An estimated episode is that of its number: what is by hand of it, such as a title, makes no listed one of it. A channel and a
 * series are the only one of their name.
 */
function orNamed(run: Run, { kind }: Line, cells: readonly Cell[], match: RowMatch): RowMatch {
  if (match.is !== 'new') return match
  const values = (...columns: string[]) => columns.map((column) => cells[placeOf(kind, column)] ?? null)
  const ids: number[] = []
  if (kind.name === 'episode')
    ids.push(...numbersOf(run.handle, estimatedEpisodes, ...values('work_id', 'number')))
  if (namedKinds.has(kind.name)) {
    const named = `select id from ${kind.table} where name = ? and hidden & 1 = 0 limit 2`
    const [only, another] = numbersOf(run.handle, named, ...values('name'))
    if (only !== undefined && another === undefined) ids.push(only)
  }
  const id = ids.find((one) => !run.claims.isTaken(kind.name, one))
  return id === undefined ? match : { is: 'row', id }
}

const namedKinds: ReadonlySet<KindName> = new Set(['channel', 'channel_group', 'series'])

// uses episodes_work_all
const estimatedEpisodes =
  'select id from episodes where work_id = ? and number = ? and estimated = 1 and hidden & 1 = 0 order by id limit 10'

/**
 * A field is taken if it still is what it `was` for the instance that corrected it, or if this source set it before; one that
 * has another value is left, and one that has the right value already stays whose it is. Of a line with `was`, what `was`
 * does not name only identifies the row; one without is of a row made by hand, which fills what is blank here.
 */
export function correctionOf(run: Run, line: Line, { given, parts }: Resolved, id: number): TakenCorrection {
  const stored = run.tables.read(line.kind, id)
  if (stored === undefined) throw new Error(`${line.kind.name} ${id} is gone`)
  const taking = new Taking(run, line, stored)
  const cells = line.kind.fields.map((field, at) => taking.field(field, at, given[at]))
  const ids = [...line.ids].filter(([namespace, name]) => taking.takesId(namespace, name, id, cells))
  const deleted = taking.hides()
  const taken = { ...parts, ...taking.parts(parts, id) }
  return {
    line: { ...line, given: cells, ids: new Map(ids), deleted },
    ...{ given: cells, parts: taken, isShortened: taking.isShortened, isLeft: taking.isLeft },
  }
}

/** `held`: by hand here, so that it is left, and what the correction says is shown beside it (D94). */
type Verdict = 'ours' | 'taken' | 'needless' | 'left' | 'held' | 'none'

class Taking {
  isShortened = false
  isLeft = false
  readonly #run: Run
  readonly #line: Line
  readonly #stored: Stored

  constructor(run: Run, line: Line, stored: Stored) {
    this.#run = run
    this.#line = line
    this.#stored = stored
  }

  /** What the field becomes; undefined to leave it. */
  field({ column, blank, absent }: Field, at: number, given: Given): Given {
    const { was } = this.#line
    const now = this.#stored.cells[at] ?? null
    if (absent !== undefined) return was === undefined ? given : now
    if (given === undefined) return undefined
    const next = given === cleared ? blank : given
    const owner = this.#stored.owners[column] ?? (now === blank ? undefined : this.#stored.sourceId)
    const former = was === undefined ? blank : formerCell(this.#run, this.#line, was, at)
    const verdict = this.#verdict(owner, { now, next, former })
    return this.#isTaken(verdict, column, now) ? next : undefined
  }

  /** Of an id with a column, what was decided for the column applies. */
  takesId(namespace: string, name: string | null, id: number, cells: readonly Given[]): boolean {
    const { kind, was } = this.#line
    const at = kind.fields.findIndex(({ path }) => path[0] === 'ids' && path[1] === namespace)
    if (at !== -1) return cells[at] !== undefined
    const [now = null, ...more] = this.#run.keys.ofRow(kind.name, id).get(namespace) ?? []
    const owner =
      this.#stored.owners[`ids.${namespace}`] ?? (now === null ? undefined : this.#stored.sourceId)
    const former = was === undefined ? null : was.ids.get(namespace)
    // A key is an id too.
    const known = name !== null && more.includes(name) ? name : now
    return this.#isTaken(this.#verdict(owner, { now: known, next: name, former }), `ids.${namespace}`, known)
  }

  /** Whether to hide the row. One that should be shown again is, when the line is taken. */
  hides(): boolean {
    const { was, deleted } = this.#line
    if (was?.deleted === undefined) return was === undefined && deleted
    const now = (this.#stored.hidden & 1) === 1
    const differing = this.#stored.owners.hidden === byHand ? 'held' : 'taken'
    const verdict = now === deleted ? 'needless' : differing
    return this.#isTaken(verdict, 'deleted', Number(now)) && deleted
  }

  /** Adds what nobody lists here, and removes what somebody lists. */
  parts(parts: Parts, id: number): Parts {
    const { was } = this.#line
    const keys = this.#run.keys
    const formerSeries = (was?.lists.series ?? []).flatMap((key) => keys.refer('series', key) ?? [])
    this.#remove('aliases', id, was?.lists.aliases ?? [], parts.aliases ?? [])
    this.#remove('series', id, formerSeries.map(String), (parts.series ?? []).map(String))
    this.#remove('streams', id, (was?.lists.streams ?? []).map(nameOf), (parts.streams ?? []).map(nameOf))
    return {
      ...(parts.aliases && { aliases: parts.aliases.filter((one) => this.#adds('aliases', id, one)) }),
      ...(parts.series && { series: parts.series.filter((one) => this.#adds('series', id, String(one))) }),
      ...(parts.streams && {
        streams: parts.streams.filter((one) => this.#adds('streams', id, nameOf(one))),
      }),
    }
  }

  #adds(part: PartName, id: number, value: string): boolean {
    const holders = holdersOfPart(this.#run.handle, part, id, value)
    if (holders.includes(this.#run.source.id)) return true
    return this.#isTaken(holders.length > 0 ? 'needless' : 'taken', `${part} ${value}`, value)
  }

  #remove(part: PartName, id: number, former: readonly string[], kept: readonly string[]): void {
    for (const value of former.filter((one) => !kept.includes(one))) {
      const holders = holdersOfPart(this.#run.handle, part, id, value)
      if (!this.#isTaken(removalOf(holders), `${part} ${value}`, value)) continue
      dropPart(this.#run.handle, part, id, value)
      this.isShortened = true
    }
  }

  #verdict(owner: number | undefined, { now, next, former }: Values): Verdict {
    if (owner === this.#run.source.id) return 'ours'
    // Nothing is corrected here, as in one half of a season.
    if (former === undefined || (this.#line.was !== undefined && former === next)) return 'none'
    if (now === next) return this.#line.was === undefined ? 'none' : 'needless'
    if (owner === byHand) return 'held'
    return now === former ? 'taken' : 'left'
  }

  #isTaken(verdict: Verdict, field: string, now: Cell): boolean {
    const counted = verdict === 'held' ? 'left' : verdict
    if (counted === 'left') this.isLeft = true
    if (counted !== 'ours' && counted !== 'none')
      this.#run.tally.corrections?.count(counted, this.#line, field, now)
    return verdict === 'taken' || verdict === 'ours' || verdict === 'held'
  }
}

/** What somebody added by hand here stays. */
function removalOf(holders: readonly number[]): Verdict {
  if (holders.length === 0) return 'needless'
  return holders.includes(byHand) ? 'left' : 'taken'
}

interface Values {
  readonly now: Cell
  readonly next: Cell
  /** Undefined if the line does not correct it. */
  readonly former: Cell | undefined
}

const nameOf = ({ site, externalId }: { readonly site: string; readonly externalId: string }) =>
  `${site}\n${externalId}`

/** What a field was: undefined if the line does not correct it, 0 for a row that is not known here. */
function formerCell({ keys }: Run, { kind }: Line, { given }: Was, at: number): Cell | undefined {
  const field = kind.fields[at]
  const former = given[at]
  if (former === undefined || field === undefined || field.absent !== undefined) return undefined
  if (former === cleared) return field.blank
  return field.ref === undefined ? former : (keys.refer(field.ref, String(former)) ?? 0)
}
