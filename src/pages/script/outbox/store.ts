import { basePath } from '../told'

/** A press that was not answered yet, or that its person has to decide about. */
export interface OutboxEntry {
  readonly n: number
  readonly user: string
  /** With the base path. */
  readonly path: string
  readonly fields: readonly (readonly [name: string, text: string])[]
  readonly form_id: string
  /** When it was pressed, ISO 8601. */
  readonly done_at: string
  /** What it does, for people; '' for what they need not see. */
  readonly label: string
  readonly swap: string
  readonly tries: number
  readonly state: 'waiting' | 'needs_you'
  /** What to decide. */
  readonly why: string
}

/** `key`: person, form and subject. `base`: what the server had when it was begun. `at`: epoch milliseconds. */
export interface Draft {
  readonly key: string
  readonly user: string
  readonly fields: Readonly<Record<string, string>>
  readonly base: string
  readonly at: number
  /** Its form is on its way: the next page tells whether it arrived. */
  readonly isSent?: true
}

type StoreName = 'outbox' | 'drafts'

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open(`kiroku${basePath}`, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('outbox', { keyPath: 'n', autoIncrement: true })
      request.result.createObjectStore('drafts', { keyPath: 'key' })
    }
    request.onsuccess = () => {
      request.result.onclose = () => {
        opening = undefined
      }
      done(request.result)
    }
    request.onerror = () => fail(request.error)
  })
  return opening
}

/** Resolves once it is committed: as a whole, also if the page is left at this moment, unless `goesOn`. */
async function within<T>(
  use: (store: (name: StoreName) => IDBObjectStore) => IDBRequest<T>,
  { goesOn = false } = {},
): Promise<T> {
  const database = await open()
  return await new Promise((done, fail) => {
    const tx = database.transaction(['outbox', 'drafts'], 'readwrite')
    const request = use((name) => tx.objectStore(name))
    tx.oncomplete = () => done(request.result)
    tx.onabort = () => fail(tx.error)
    if (!goesOn) tx.commit()
  })
}

/** For browsers that keep nothing, as some private windows: until the page is left. Its numbers are below 0. */
const memory: OutboxEntry[] = []
let lastInMemory = 0

/** Everybody's, oldest first. */
export async function outbox(): Promise<readonly OutboxEntry[]> {
  const kept = await within<OutboxEntry[]>((store) => store('outbox').getAll()).catch(() => [])
  return [...kept, ...memory]
}

/** Returns its number. A draft of the same text goes at the same moment. */
export async function addEntry(entry: Omit<OutboxEntry, 'n'>, draft: string): Promise<number> {
  try {
    const n = await within((store) => {
      store('drafts').delete(draft)
      return store('outbox').add(entry)
    })
    return Number(n)
  } catch {
    lastInMemory -= 1
    memory.push({ ...entry, n: lastInMemory })
    return lastInMemory
  }
}

/** Unless it is gone: it may have been withdrawn meanwhile. */
export async function changeEntry(entry: OutboxEntry): Promise<void> {
  const at = memory.findIndex(({ n }) => n === entry.n)
  if (at >= 0) memory[at] = entry
  else
    await within(
      (store) => {
        const found = store('outbox').get(entry.n)
        found.onsuccess = () => found.result !== undefined && store('outbox').put(entry)
        return found
      },
      { goesOn: true },
    ).catch(() => {})
}

export async function removeEntry(n: number): Promise<void> {
  const at = memory.findIndex((one) => one.n === n)
  if (at >= 0) memory.splice(at, 1)
  else await within((store) => store('outbox').delete(n)).catch(() => {})
}

export const drafts = (): Promise<readonly Draft[]> =>
  within<Draft[]>((store) => store('drafts').getAll()).catch(() => [])

export const draftOf = (key: string): Promise<Draft | undefined> =>
  within<Draft | undefined>((store) => store('drafts').get(key)).catch(() => undefined)

export const putDraft = (draft: Draft): Promise<unknown> =>
  within((store) => store('drafts').put(draft)).catch(() => {})

export const removeDraft = (key: string): Promise<unknown> =>
  within((store) => store('drafts').delete(key)).catch(() => {})
