import type { ApiCall } from '../../api/endpoint'
import type { Context } from '../declare/field'
import type { Catalogue } from '../schema/catalogue'
import { Budget } from './budget'
import type { CheckedDocument } from './documents'
import { ListLoader } from './lists'
import { RowLoader } from './rows'

/** `budget` is also part of the context. */
export function createContext(call: ApiCall, catalogue: Catalogue, document: CheckedDocument) {
  const { deps, viewer } = call
  const budget = new Budget(viewer.userId)
  const reads = { seen: deps.readAs(viewer.userId), shared: deps.read }
  const rows = new RowLoader(reads.seen, catalogue, document, viewer.userId, budget)
  const context: Context = {
    call,
    config: deps.config,
    viewerId: viewer.userId,
    rows,
    lists: new ListLoader(reads, viewer.userId, budget, rows),
    budget,
    countBelow: document.countBelow,
    hasWritten: false,
  }
  return { context, budget }
}
