import type { Database } from 'bun:sqlite'
import { Generations } from '../../src/db/generations/generations'

/** Also notices what a test writes on the writer's handle, where the product writes only in pieces. */
export class NoticingGenerations extends Generations {
  readonly #changes: () => number
  readonly #isCommitting: () => boolean
  #seen: number

  constructor(handle: Database) {
    super(handle)
    const changes = handle.query('select total_changes()')
    this.#changes = () => Number(changes.values()[0]?.[0])
    this.#isCommitting = () => handle.inTransaction
    this.#seen = this.#changes()
  }

  override committed(...args: Parameters<Generations['committed']>): void {
    super.committed(...args)
    this.#seen = this.#changes()
  }

  /** Before the transaction changes anything: its commit could not tell what was written before from its own. */
  override hasBegun(): void {
    this.#noticeOwn()
    super.hasBegun()
  }

  protected override look(): void {
    if (!this.#isCommitting()) this.#noticeOwn()
    super.look()
  }

  #noticeOwn(): void {
    if (this.#seen !== this.#changes()) this.committed('any')
  }
}
