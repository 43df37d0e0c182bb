import { storageOf } from '../db/storage'
import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
import type { Route } from '../http/route'

/** GET /livez: the process answers. */
export const livez: Route = {
  method: 'GET',
  path: '/livez',
  answer: () => new Response('{"status":"ok"}', { headers: jsonHeaders }),
}

/** What `/readyz` answers; sizes are in bytes. */
interface Readiness {
  readonly status: 'ok' | 'unavailable'
  /** Why not; each in one word. */
  readonly problems: readonly string[]
  readonly disk_free_bytes: number
  readonly wal_bytes: number
}

/** GET /readyz: 200 while reads and writes work and there is room for more, else 503 with what is missing. */
export const readyz: Route = {
  method: 'GET',
  path: '/readyz',
  answer: async ({ deps }) => {
    const readiness = await readinessOf(deps)
    const isReady = readiness.status === 'ok'
    const headers = isReady ? jsonHeaders : { ...jsonHeaders, 'Retry-After': '5' }
    return Response.json(readiness, { status: isReady ? 200 : 503, headers })
  },
}

async function readinessOf(deps: Deps): Promise<Readiness> {
  const works = await writes(deps)
  const { freeBytes, walBytes } = storage(deps)
  const problems = [
    ...(deps.isStopping() ? ['stopping'] : []),
    ...(works ? [] : ['writes']),
    ...(freeBytes < leastFreeBytes ? ['disk'] : []),
  ]
  const status = problems.length === 0 ? 'ok' : 'unavailable'
  return { status, problems, disk_free_bytes: freeBytes, wal_bytes: walBytes }
}

const leastFreeBytes = 32 * 1024 * 1024

/** A data directory that is gone has no room. */
function storage({ config }: Deps) {
  try {
    return storageOf(config.data)
  } catch {
    return { freeBytes: 0, walBytes: 0 }
  }
}

/**
 * Whether a write reaches the disk. Asked by anybody as often as they like, it is tried once in 10 seconds: a write
 * makes every kept answer be forgotten.
 */
async function writes(deps: Deps): Promise<boolean> {
  const probe = probes.get(deps)
  if (probe !== undefined && deps.now() - probe.at < 10_000) return await probe.works
  const works = deps
    .write((tx) =>
      tx
        .updateTable('totals')
        .set((row) => ({ n: row.ref('n') }))
        .where('name', '=', 'users')
        .returning('n')
        .execute(),
    )
    .then(
      (rows) => rows.length === 1,
      () => false,
    )
  probes.set(deps, { at: deps.now(), works })
  return await works
}

const probes = new WeakMap<Deps, { readonly at: number; readonly works: Promise<boolean> }>()
