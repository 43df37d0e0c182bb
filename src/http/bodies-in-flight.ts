import { serviceUnavailable } from './errors'

/** A token holder sent its access token outside the body; an uploader's body goes to disk piece by piece. */
export type Sender = 'anyone' | 'token holder' | 'uploader'

/** Bytes of bodies in memory at once (promise 12). Anonymous senders cannot use up the token holders' share. */
const capacity: Readonly<Record<Sender, number>> = {
  anyone: 16 * 1024 * 1024,
  'token holder': 16 * 1024 * 1024,
  uploader: 8 * 1024 * 1024,
}

interface Claim {
  readonly sender: Sender
  readonly bytes: number
}

export const bodiesInFlight = (): Readonly<Record<Sender, number>> => claimed

const claims = new Map<Request, Claim>()
const claimed: Record<Sender, number> = { anyone: 0, 'token holder': 0, uploader: 0 }

/** Reserves memory until `releaseBody`: Bun buffers whatever arrives. Throws service_unavailable when it is full. */
export function claimBody(request: Request, sender: Sender, bytes: number): void {
  if (claimed[sender] + bytes > capacity[sender])
    throw serviceUnavailable('Too many request bodies are being received at once.')
  claimed[sender] += bytes
  claims.set(request, { sender, bytes })
}

export function releaseBody(request: Request): void {
  const claim = claims.get(request)
  if (claim === undefined) return
  claims.delete(request)
  claimed[claim.sender] -= claim.bytes
}
