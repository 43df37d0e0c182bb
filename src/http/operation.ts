import type { AnyElysia } from 'elysia'

type Route = AnyElysia['routes'][number]

interface LazyOperation {
  readonly write: () => object
}

/** Generated on first use: generating all operations takes as long as the rest of the start. */
export const documented = (write: () => object): object => ({ write }) satisfies LazyOperation

export function operationOf({ hooks }: Route): object | undefined {
  return (hooks.detail as Partial<LazyOperation> | undefined)?.write?.()
}
