import type { Bytes } from '../http/bytes'

export class CachedBody {
  /** In bytes. */
  readonly size: number
  #content: Bytes | Blob

  constructor(bytes: Bytes) {
    this.size = bytes.length
    this.#content = bytes
  }

  /** A response copies bytes, but shares a blob. Made lazily: most answers are sent only once. */
  get shared(): Blob {
    if (!(this.#content instanceof Blob)) this.#content = new Blob([this.#content])
    return this.#content
  }
}
