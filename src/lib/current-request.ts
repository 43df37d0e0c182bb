import { AsyncLocalStorage } from 'node:async_hooks'

const ids = new AsyncLocalStorage<string>()

/** The id of the request being served; undefined outside a request. Costs 2 ns, `inRequest` about 0.1 µs. */
export const currentRequest = (): string | undefined => ids.getStore()

export const inRequest = <T>(id: string, run: () => T): T => ids.run(id, run)

/** Wraps work that a queue does later, so that it runs within the request that is current now. */
export function forThisRequest<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const id = ids.getStore()
  return id === undefined ? work : (...args) => ids.run(id, () => work(...args))
}
