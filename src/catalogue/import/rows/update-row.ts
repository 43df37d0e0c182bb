import { logSourceChange } from '../../edit/log'
import { cleared, type Given, type Line } from '../file/line'
import type { Cell } from '../kinds/cells'
import { type Field, placeOf } from '../kinds/field'
import type { Run } from '../run'
import { byHand } from '../source'
import { idWish } from './create-row'
import type { Stored } from './tables'

export interface Updated {
  readonly changed: boolean
  readonly conflict: boolean
}

/** A field belongs to the source that set it; lower priority never changes it, equal does. Blank fields are free. */
export function updateRow(run: Run, line: Line, given: readonly Given[], id: number): Updated {
  const stored = run.tables.read(line.kind, id)
  if (stored === undefined) throw new Error(`${line.kind.name} ${id} is gone`)
  const edit = new Edit(run, line, stored)
  for (const [at, field] of line.kind.fields.entries()) edit.take(field, at, given[at])
  edit.show()
  for (const [namespace, name] of line.ids) edit.takeId(namespace, name, id)
  edit.save(id)
  return edit
}

class Edit implements Updated {
  changed = false
  conflict = false
  readonly #run: Run
  readonly #line: Line
  readonly #before: Stored
  readonly #cells: Cell[]
  #owners: Record<string, number>
  #hidden: number
  #sourceId: number
  readonly #beside: { readonly field: string; readonly source: number; readonly value: Cell }[] = []
  /** For the history (D95), without what nobody describes. */
  readonly #taken: { readonly field: string; readonly before: Cell; readonly after: Cell }[] = []
  #names: ReadonlyMap<string, readonly string[]> | undefined

  constructor(run: Run, line: Line, stored: Stored) {
    this.#run = run
    this.#line = line
    this.#before = stored
    this.#cells = [...stored.cells]
    // A listed row replaces the whole estimated row, except what is by hand.
    const estimated = placeOf(line.kind, 'estimated')
    const isGuess = stored.cells[estimated] === 1 && stored.sourceId !== byHand
    const listed = isGuess && line.given[estimated] !== 1
    this.#owners = listed ? ownersByHand(stored.owners) : { ...stored.owners }
    this.#sourceId = listed ? run.source.id : stored.sourceId
    this.#hidden = stored.hidden
  }

  take({ column, blank, absent, path }: Field, at: number, given: Given): void {
    if (given === undefined) return
    const now = this.#cells[at] ?? null
    const next = given === cleared ? blank : given
    if (column === 'estimated' && next === 1 && this.#sourceId !== this.#run.source.id) return
    if (absent === undefined) {
      const owner = this.#owners[column] ?? (now === blank ? undefined : this.#sourceId)
      if (!this.#mayChange(owner)) {
        if (next !== now) this.#leave(column, owner)
        this.#keepBeside(column, owner, next)
        return
      }
      if (this.#run.source.id === byHand) this.#keepFormer(column, owner, now)
      // A source that only confirms the value of an equal one does not become its owner.
      if (given === cleared) delete this.#owners[column]
      else if (next !== now || next === blank || this.#outranks(owner)) this.#own(column, next === blank)
    }
    if (next !== now && path[0] !== 'images' && column !== 'popularity' && column !== 'estimated')
      this.#taken.push({ field: column, before: now, after: next })
    this.changed ||= next !== now
    this.#cells[at] = next
  }

  /** If a source that may hide a row lists it again, the row is shown again. */
  show(): void {
    // Corrections say so: one that somebody else took out of the catalogue does not come back by being corrected.
    if (this.#run.corrects && this.#line.was?.deleted !== true) return
    if ((this.#hidden & 1) === 0 || !this.#mayChange(this.#owners.hidden ?? this.#sourceId)) return
    this.#hidden &= 2
    delete this.#owners.hidden
    this.changed = true
  }

  /** One id per site, not counting keys. */
  takeId(namespace: string, name: string | null, id: number): void {
    const { kind } = this.#line
    if (namespace === idWish) return
    const at = kind.fields.findIndex(({ path }) => path[0] === 'ids' && path[1] === namespace)
    this.#names ??= this.#run.keys.ofRow(kind.name, id)
    const known = this.#names.get(namespace) ?? []
    const isKnown = name === null ? known.length === 0 : known.includes(name)
    // If the id has a column, what was decided for the column applies.
    const allowed =
      at === -1 ? this.#takeOwn(`ids.${namespace}`, known, isKnown) : this.#cells[at] === (name ?? '')
    if (!allowed && at === -1) this.#keepBeside(`ids.${namespace}`, this.#owners[`ids.${namespace}`], name)
    if (!allowed || isKnown) return
    this.#run.keys.removeOthers(kind.name, namespace, name, id)
    if (name !== null) this.#run.keys.addId(kind.name, namespace, name, id)
    if (at === -1) this.#taken.push({ field: `ids.${namespace}`, before: known[0] ?? null, after: name })
    this.changed = true
  }

  save(id: number): void {
    const { now, sourceValues } = this.#run
    for (const { field, source, value } of this.#beside)
      sourceValues.keep({ kind: this.#line.kind.name, id, field }, { source, value, at: now })
    const before = this.#before
    const sameOwners = this.#sourceId === before.sourceId && Bun.deepEquals(this.#owners, before.owners)
    if (!this.changed && sameOwners) return
    this.#run.tables.update(
      this.#line.kind,
      id,
      { cells: this.#cells, hidden: this.#hidden, sourceId: this.#sourceId, owners: this.#owners },
      this.changed,
    )
    if (this.#run.isSearched) this.#log(id)
  }

  #log(row_id: number): void {
    const { handle, source, now } = this.#run
    const kind = this.#line.kind.name
    const work = kind === 'work' ? row_id : Number(this.#cells[placeOf(this.#line.kind, 'work_id')] ?? 0)
    const fields = this.#taken.map(({ field, before, after }) => ({
      ...{ kind, row_id, field, before: JSON.stringify(before), after: JSON.stringify(after) },
      owner_before: this.#before.owners[field] ?? null,
      owner_after: this.#owners[field] ?? null,
    }))
    logSourceChange(handle, { source: source.id, work, now }, fields)
  }

  #takeOwn(field: string, known: readonly string[], isKnown: boolean): boolean {
    const owner = this.#owners[field] ?? (known.length === 0 ? undefined : this.#sourceId)
    const allowed = this.#mayChange(owner)
    if (!allowed && !isKnown) this.#leave(field, owner)
    if (allowed && (!isKnown || this.#outranks(owner))) this.#own(field, false)
    return allowed
  }

  #leave(field: string, owner = this.#sourceId): void {
    this.conflict = true
    this.#run.onConflict?.({ kind: this.#line.kind.name, field, owner })
  }

  /** What a source says instead of what is by hand is kept, to be shown beside it (D94). */
  #keepBeside(field: string, owner: number | undefined, value: Cell): void {
    if (owner === byHand) this.#beside.push({ field, source: this.#run.source.id, value })
  }

  /** The same for what a file replaces that somebody made by hand. */
  #keepFormer(field: string, owner: number | undefined, value: Cell): void {
    if (owner !== undefined && owner !== byHand) this.#beside.push({ field, source: owner, value })
  }

  #own(field: string, isBlank: boolean): void {
    const { id } = this.#run.source
    // Non-blank values belong to the row's source by default.
    if (id === this.#sourceId && !isBlank) delete this.#owners[field]
    else this.#owners[field] = id
  }

  #mayChange(owner: number | undefined): boolean {
    return (
      owner === undefined || owner === this.#run.source.id || this.#rank(owner) <= this.#run.source.priority
    )
  }

  #outranks(owner: number | undefined): boolean {
    return owner !== undefined && this.#rank(owner) < this.#run.source.priority
  }

  #rank(source: number): number {
    return this.#run.priorities.get(source) ?? 0
  }
}

const ownersByHand = (owners: Stored['owners']): Record<string, number> =>
  Object.fromEntries(Object.entries(owners).filter(([, owner]) => owner === byHand))
