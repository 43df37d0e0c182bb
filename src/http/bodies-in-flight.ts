import { serviceUnavailable } from './errors'

/** Who sends a body: somebody whose access token came with the head of the request, or anybody. */
export type Sender = 'anyone' | 'token holder'

/** How many bytes of bodies may be in memory at once (promise 12). Strangers cannot keep token holders from writing. */
const capacity: Readonly<Record<Sender, number>> = {
  anyone: 16 * 1024 * 1024,
  'token holder': 16 * 1024 * 1024,
}

interface Claim {
  readonly sender: Sender
  readonly bytes: number
}

// Of the process, like the memory it is about.
const claims = new Map<Request, Claim>()
const claimed: Record<Sender, number> = { anyone: 0, 'token holder': 0 }

/**
 * Makes room for the body of a request, until `releaseBody`. Bun keeps what arrives of a body in memory, so `bytes` is all
 * that may come. Throws service_unavailable where too many are arriving already.
 */
export function claimBody(request: Request, sender: Sender, bytes: number): void {
  if (claimed[sender] + bytes > capacity[sender])
    throw serviceUnavailable('Too many bodies are arriving at once.')
  claimed[sender] += bytes
  claims.set(request, { sender, bytes })
}

/** To be called once a request is answered. */
export function releaseBody(request: Request): void {
  const claim = claims.get(request)
  if (claim === undefined) return
  claims.delete(request)
  claimed[claim.sender] -= claim.bytes
}
