import { isObject, parseJson } from './file/json'
import type { Spool } from './file/spool'
import { kindOf } from './kinds/kinds'
import { hashOf } from './line-taker'
import { noLog } from './merge/merge-log'
import { moveAll } from './merge/moves'
import { preservable } from './rows/create-row'
import { partsOf } from './rows/keys'
import { noteStale, type Run, settle } from './run'

interface Rekeyed {
  readonly row: number
  readonly key: string
  /** Its former key, if this file gives that to another work. */
  readonly lost: string | undefined
}

/** Finds works with new keys by their unique bangumi id. One transaction, so that records keep their work. */
export async function rekeyWorks(run: Run, spool: Spool): Promise<void> {
  if (!run.claims.hasAny) return
  const rekeyed = await findRekeyed(run, spool)
  if (rekeyed.length === 0) return
  await run.piece(() => {
    const moved = rekeyed.map((one) => ({
      ...one,
      row: one.lost === undefined ? one.row : moveAway(run, one, one.lost),
    }))
    for (const { row, key } of moved) giveKey(run, row, key)
    settle(run)
  })
}

async function findRekeyed(run: Run, spool: Spool): Promise<Rekeyed[]> {
  const { keys, byBangumi } = await newsOf(run, spool)
  return [...byBangumi].flatMap(([id, names]) => {
    const [key, another] = names
    const [found, twin] = run.keys.find('work', 'bangumi', id)
    if (key === undefined || another !== undefined || found === undefined || twin !== undefined) return []
    const own = run.keys.keysOf('work', found.id)
    if (own.includes(key) || !run.claims.mayBeTaken('work', found.id)) return []
    return [{ row: found.id, key, lost: own.find((one) => keys.has(one)) }]
  })
}

async function newsOf(run: Run, spool: Spool) {
  const keys = new Set<string>()
  const byBangumi = new Map<string, string[]>()
  for (const { lines } of spool.blocks()) {
    for (const line of lines) {
      const work = run.claims.knows(hashOf(line)) ? undefined : workOf(line)
      if (work === undefined) continue
      keys.add(work.key)
      if (work.bangumi === undefined) continue
      byBangumi.set(work.bangumi, [...(byBangumi.get(work.bangumi) ?? []), work.key])
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return { keys, byBangumi }
}

function workOf(line: Uint8Array): { key: string; bangumi: string | undefined } | undefined {
  const value = parseJson(new TextDecoder().decode(line))
  if (!isObject(value) || value.type !== 'work' || typeof value.key !== 'string') return undefined
  if (value.deleted === true || value.merged_into !== undefined) return undefined
  const id = isObject(value.ids) ? value.ids.bangumi : undefined
  return { key: value.key, bangumi: id === undefined || id === null ? undefined : String(id) }
}

/** Moves a work to a new row, with the number of its new key if that is free. Returns the row. */
function moveAway(run: Run, { row, key }: Rekeyed, lost: string): number {
  const { handle, tables, keys } = run
  const stored = tables.read(work, row)
  if (stored === undefined) throw new Error(`work ${row} is gone`)
  const [namespace, name] = partsOf(key)
  const wish = run.preserveIds.includes(namespace) ? preservable(run, work, namespace, name) : null
  const to = tables.insert(work, wish, stored)
  tables.update(work, to, stored, false)
  for (const _ of moveAll(handle, 'work', { from: row, to, log: noLog }));
  keys.forget('work', row)
  handle.query(moveNames).run(to, row, lost)
  handle.query("update redirects set to_id = ? where kind = 'work' and to_id = ?").run(to, row)
  const cells = work.fields.map(({ required, blank }, at) => (required ? (stored.cells[at] ?? '') : blank))
  tables.update(work, row, { cells, hidden: 0, sourceId: run.source.id, owners: {} }, true)
  noteStale(run, work, row, to)
  return to
}

const moveNames = `
  update external_ids indexed by external_ids_local set local_id = ?1, is_key = iif(is_key = 1, 0, is_key)
  where kind = 'work' and local_id = ?2 and ns || ':' || external_id <> ?3`

/** A row that has the key but no longer a work becomes this work; both are merged at the end. */
function giveKey({ handle, keys }: Run, row: number, key: string): void {
  const [holder] = keys.find('work', ...partsOf(key))
  if (holder === undefined || holder.by === 'id') keys.addKey('work', key, row)
  else if (holder.id !== row && !keys.ofRow('work', holder.id).has('bangumi'))
    handle.query("insert into redirects (kind, from_id, to_id) values ('work', ?, ?)").run(row, holder.id)
}

const { work } = kindOf
