import type { AnyElysia } from 'elysia'

type Route = AnyElysia['routes'][number]

interface Late {
  readonly write: () => object
}

/**
 * The `detail` of a route that has an operation in the OpenAPI document. It is written when the document is first asked
 * for: writing all of them takes as long as everything else that is put together at the start.
 */
export const documented = (write: () => object): object => ({ write }) satisfies Late

/** The OpenAPI operation of a served route; undefined for what is in no document. */
export function operationOf({ hooks }: Route): object | undefined {
  return (hooks.detail as Partial<Late> | undefined)?.write?.()
}
