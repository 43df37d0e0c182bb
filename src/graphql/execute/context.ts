import type { ApiCall } from '../../api/endpoint'
import type { Context } from '../declare/field'
import type { Catalogue } from '../schema/catalogue'
import { Budget } from './budget'
import type { Document } from './documents'
import { Lists } from './lists'
import { Rows } from './rows'

/** `budget` is also part of the context. */
export function createContext(call: ApiCall, catalogue: Catalogue, document: Document) {
  const { deps, viewer } = call
  const budget = new Budget(viewer.userId)
  const rows = new Rows(deps.read, catalogue, document, viewer.userId, budget)
  const context: Context = {
    call,
    config: deps.config,
    viewerId: viewer.userId,
    rows,
    lists: new Lists(deps.read, viewer.userId, budget, rows),
    budget,
    countBelow: document.countBelow,
    hasWritten: false,
  }
  return { context, budget }
}
