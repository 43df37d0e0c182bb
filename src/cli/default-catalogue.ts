import type { Store } from '../db/open'
import type { Log } from '../log'
import type { Call } from './command'

/** STUB */
export async function loadCatalogue(_call: Call, _store: Store): Promise<void> {}
export function refreshDaily(_store: Store, _now: () => number, _log: Log): void {}
