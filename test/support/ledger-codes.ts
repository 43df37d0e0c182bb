import { expect } from 'bun:test'
import { openUpgraded } from '../../src/cli/open'
import { issueCode } from '../../src/oauth/authorize/authorization-code'
import { outOfBand } from '../../src/oauth/authorize/redirect-uri'
import { registerApplication } from '../../src/oauth/clients/registration'
import type { Directory } from './kiroku'

interface Spent {
  readonly code: string
  readonly token: string
}

/** A client that exchanges authorization codes, and remembers outside for which it got a token. */
export class CodeSpender {
  #spent: Spent[] = []
  spentCodes = 0

  constructor(
    readonly uid: string,
    readonly codes: string[],
  ) {}

  /** Exchanges codes one after another until the connection breaks. */
  async spend(url: string, over: AbortSignal): Promise<void> {
    try {
      while (!over.aborted) {
        const code = this.codes.pop() ?? ''
        const response = await this.#exchange(url, code)
        expect(response.status).toBe(200)
        const { access_token: token } = (await response.json()) as { access_token: string }
        this.#spent.push({ code, token })
        this.spentCodes++
      }
    } catch (cause) {
      if (!over.aborted) throw cause
    }
  }

  /** Checks that each token still exists and no code yields another. */
  async expectSpent(url: string): Promise<void> {
    for (const { code, token } of this.#spent) {
      const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(me.status).toBe(200)
      const again = await this.#exchange(url, code)
      expect([again.status, await again.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_grant' }),
      ])
    }
    this.#spent = []
  }

  #exchange(url: string, code: string): Promise<Response> {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: outOfBand, client_id: this.uid }
    return fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) })
  }
}

/** With `count` codes of the first user for a public client. */
export async function codeSpender(directory: Directory, count: number): Promise<CodeSpender> {
  const store = openUpgraded(directory.file('data'))
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const deps = { ...store, random, now: Date.now, baseUrl: 'http://localhost:3000' }
  const asked = {
    name: 'Spender',
    redirectUris: outOfBand,
    scope: 'read',
    hasDeviceGrant: false,
    sendsIss: false,
  } as const
  const { id, uid } = await registerApplication(deps, { ...asked, ownerId: 1, isConfidential: false })
  const consent = { applicationId: id, userId: 1, redirectUri: outOfBand, scope: 'read' as const }
  const codes = await store.write((tx) =>
    Promise.all(
      Array.from({ length: count }, () =>
        issueCode(tx, { ...consent, codeChallenge: null }, random, Date.now()),
      ),
    ),
  )
  await store.close()
  return new CodeSpender(uid, [...codes])
}
