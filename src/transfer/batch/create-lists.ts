import { invalidParams, notFound } from '../../http/errors'
import { applyRows } from './apply'
import { beginAccepting, beginApplying, beginDeleting, beginPlanning, beginUndoing } from './begin'
import { decideRow } from './decide'
import { type Engine, engine as usualEngine } from './engine'
import { findRows } from './find-rows'
import { countOwn, findOwn, findStored, listOwn } from './import-store'
import { makeRoom } from './limits'
import type { ImportDeps, ListImport } from './list-import'
import type { Lists } from './lists'
import { planRows, type Rematch } from './plan-rows'
import { presentImport } from './present-import'
import { readList } from './read-list'
import { deleteImport } from './remove'
import { resumeImports } from './resume'
import { Runner } from './runner'
import { Slots } from './slots'
import { undoChanges } from './undo'

/** Starts nothing by itself. */
export function createLists(deps: ImportDeps, engine: Engine = usualEngine): Lists {
  const { read, write, now } = deps
  const runner = new Runner(deps, (id, isStopping) => runImport(deps, engine, id, isStopping))
  const { isStopping } = runner
  const reading = new Set<number>()
  const readers = new Slots(2)
  /** Each preview is changed by one at a time, here by its id. */
  const previews = new Slots(Number.POSITIVE_INFINITY)
  let isBeside = false
  const find = async (userId: number, id: number): Promise<ListImport> =>
    await presentImport(read, await findOwn(read, userId, id), runner.isWaiting)
  const asked = (userId: number, id: number) => ({ userId, id, now: now() })
  return {
    read: (userId, file, options) =>
      readers.run(userId, async () => {
        await makeRoom(deps, userId)
        return await find(userId, await readList(deps, engine, { userId, file, options, reading }))
      }),
  }
}
