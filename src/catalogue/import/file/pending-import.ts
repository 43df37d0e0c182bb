import type { Database } from 'bun:sqlite'
import { inPieces, type PieceRunner } from '../../../db/in-pieces'
import type { Plan } from '../take-file'
import { Spool } from './spool'

/** A validated import, which survives interruptions and is applied to the end. */
export interface PendingImport extends Plan {
  /** A row to write to `instance` when the import ends. */
  readonly loaded: { readonly name: string; readonly value: string } | undefined
}

export function pendingImport(handle: Database): PendingImport | undefined {
  const [row] = handle.query<{ plan: string }, []>('select plan from imports').all()
  return row === undefined ? undefined : planOf(row.plan)
}

/** Stores a validated file and its plan; the import is pending once all blocks are written. */
export async function keepImport(
  { handle, piece }: { readonly handle: Database; readonly piece: PieceRunner },
  file: Spool,
  plan: PendingImport,
): Promise<Spool> {
  await dropBlocks(handle, piece)
  const kept = new Spool(handle)
  await inPieces(piece, function* (isOver) {
    for (const { firstLine, content } of file.packed()) {
      kept.write(firstLine, content)
      if (isOver()) yield
    }
    handle.query('insert into imports (id, plan) values (1, ?)').run(JSON.stringify(plan))
  })
  return kept
}

/** The row of `instance` with the time the last import ended, in epoch milliseconds. */
export const importedAt = 'catalogue_imported_at'

export async function endImport(
  { handle, piece }: { readonly handle: Database; readonly piece: PieceRunner },
  { loaded }: PendingImport,
  now: number,
): Promise<void> {
  await piece(() => {
    const note = handle.query('insert or replace into instance (name, value) values (?, ?)')
    note.run(importedAt, String(now))
    if (loaded !== undefined) note.run(loaded.name, loaded.value)
    handle.run('delete from imports')
  })
  await dropBlocks(handle, piece)
}

async function dropBlocks(handle: Database, piece: PieceRunner): Promise<void> {
  if (handle.query('select 1 from import_blocks limit 1').values().length === 0) return
  await inPieces(piece, function* (isOver) {
    const drop = handle.query(
      'delete from import_blocks where first_line in (select first_line from import_blocks limit 4)',
    )
    while (drop.run().changes > 0) if (isOver()) yield
  })
}

const planOf = (text: string): PendingImport => JSON.parse(text)
