import { basePath, texts } from '../told'

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
  /** The address of the cover beside it. */
  readonly cover?: string | undefined
  readonly swap: string
  readonly tries: number
  readonly state: 'waiting' | 'needs_you'
  /** What to decide. */
  readonly why: string
}

/** What its person may do with a press that was refused. */
export const wayOn = ({ why }: OutboxEntry): string =>
  why === texts.elsewhere ? texts.addComment : texts.again

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

/** Every tab, this one too, shows what waits now. */
const told = new BroadcastChannel(`kiroku${basePath}`)

export const onChange = (show: () => void): void => {
  new BroadcastChannel(`kiroku${basePath}`).onmessage = show
}

/** For browsers that keep nothing, as some private windows: until the page is left. Its numbers are below 0. */
const memory = new Map<number, OutboxEntry>()
let lastInMemory = 0

/** Everybody's, oldest first. */
export async function outbox(): Promise<readonly OutboxEntry[]> {
  const kept = await within<OutboxEntry[]>((store) => store('outbox').getAll()).catch(() => [])
  return [...kept, ...memory.values()]
}

const mostEntries = 500

/**
 * Returns its number; undefined if there is no room for it. At the same moment it takes the place of the entry `instead`,
 * and of the draft of its text.
 */
export async function addEntry(
  entry: Omit<OutboxEntry, 'n'>,
  { draft = '', instead = 0 } = {},
): Promise<number | undefined> {
  const add = (store: (name: StoreName) => IDBObjectStore) => {
    const entries = store('outbox')
    entries.delete(instead)
    store('drafts').delete(draft)
    const added = entries.add(entry)
    const count = entries.count()
    // In the transaction: another tab may be writing too.
    count.onsuccess = () => count.result > mostEntries && count.transaction?.abort()
    return added
  }
  let n: number
  try {
    n = Number(await within(add, { goesOn: true }))
  } catch {
    if ((await outbox()).length >= mostEntries) return undefined
    lastInMemory -= 1
    n = lastInMemory
    memory.set(n, { ...entry, n })
  }
  memory.delete(instead)
  told.postMessage(n)
  return n
}

/** Unless it is gone: it may have been withdrawn meanwhile. */
export async function changeEntry(entry: OutboxEntry): Promise<void> {
  const change = (store: (name: StoreName) => IDBObjectStore) => {
    const found = store('outbox').get(entry.n)
    found.onsuccess = () => found.result !== undefined && store('outbox').put(entry)
    return found
  }
  if (memory.has(entry.n)) memory.set(entry.n, entry)
  else await within(change, { goesOn: true }).catch(() => {})
  told.postMessage(entry.n)
}

export async function removeEntry(n: number): Promise<void> {
  if (!memory.delete(n)) await within((store) => store('outbox').delete(n)).catch(() => {})
  told.postMessage(n)
}

/**
 * Nobody knows whether the server has what waits: it takes the press back, or will never do it. What needs its person was
 * answered, and is not there.
 */
export async function takeBack({ n, form_id, fields, ...rest }: OutboxEntry): Promise<void> {
  const back = new Map(fields).get('return_to') ?? '/'
  const about = [['press', form_id] as const, ['return_to', back] as const]
  const path = `${basePath}/outbox/undo`
  if (rest.state !== 'waiting') return await removeEntry(n)
  await addEntry({ ...rest, path, fields: about, form_id: randomId(), label: '' }, { instead: n })
}

/** 128 bits in base64url; `randomUUID` needs https. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .slice(0, 22)

export const drafts = (): Promise<readonly Draft[]> =>
  within<Draft[]>((store) => store('drafts').getAll()).catch(() => [])

export const draftOf = (key: string): Promise<Draft | undefined> =>
  within<Draft | undefined>((store) => store('drafts').get(key)).catch(() => undefined)

export const putDraft = (draft: Draft): Promise<unknown> =>
  within((store) => store('drafts').put(draft)).catch(() => {})

export const removeDraft = (key: string): Promise<unknown> =>
  within((store) => store('drafts').delete(key)).catch(() => {})
