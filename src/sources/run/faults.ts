import { storageFault } from '../../db/storage-fault'
import { Failure } from '../../lib/failure'
import { SourceRefused } from '../fetch/refused'
import { ShapeError, TokenRefused } from '../source'
import type { Outcome } from './runs'

export interface Fault {
  readonly outcome: Outcome
  readonly message: string
  readonly isConfig: boolean
}

/** The fault that ends a run. Throws `cause` again if the run is to be resumed later. */
export function faultOf(cause: unknown): Fault {
  if (cause instanceof SourceRefused) {
    const { kind, message } = cause
    return kind === 'not_configured'
      ? { outcome: 'refused', message, isConfig: true }
      : { outcome: kind, message, isConfig: false }
  }
  if (cause instanceof TokenRefused) return { outcome: 'refused', message: cause.message, isConfig: true }
  if (cause instanceof ShapeError)
    return { outcome: 'not_understood', message: cause.message, isConfig: false }
  if (isForLater(cause)) throw cause
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return { outcome: 'failed', message: message.replaceAll(/\s*\n\s*/g, ' '), isConfig: false }
}

/** The process is being stopped, another one is changing the catalogue, or the disk is full. */
const isForLater = (cause: unknown) =>
  cause instanceof Failure ||
  storageFault(cause) !== undefined ||
  (cause instanceof DOMException && cause.name === 'AbortError')
