import { oneAtATime } from '../../lib/one-at-a-time'

/** The queue is full; try again later. */
export class PicturesBusy extends Error {}

/**
 * A picture of 40 million pixels takes 160 MB to decode (promise 12). Module state, not a dependency: the limit protects
 * the memory of the whole process.
 */
export const decodeInTurn = oneAtATime(8, () => new PicturesBusy('too many pictures are being read'))
