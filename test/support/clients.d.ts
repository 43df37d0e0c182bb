// What the tests use of client libraries without types.

declare module 'annict' {
  // biome-ignore lint/style/noDefaultExport: as the library does
  export default class Annict {
    readonly client: {
      setToken(token: string): void
      get(url: string, query?: unknown): Promise<Response>
      post(url: string, body?: unknown): Promise<Response>
    }
    readonly OAuth: {
      token(
        clientId: string,
        clientSecret: string,
        grantType: string,
        redirectUri: string,
        code: string,
      ): Promise<Response>
      revoke(token: { access_token: string }): Promise<Response>
    }
    readonly Work: { get(query: Readonly<Record<string, string>>): Promise<Response> }
  }
}

declare module 'simple-oauth2' {
  export class AuthorizationCode {
    constructor(options: {
      client: { id: string; secret: string }
      auth: { tokenHost: string }
      options: { authorizationMethod: 'body' | 'header' }
    })
    authorizeURL(params: Readonly<Record<string, string>>): string
    getToken(params: Readonly<Record<string, string>>): Promise<{
      token: Readonly<Record<string, unknown>>
      revoke(kind: 'access_token'): Promise<void>
    }>
  }
}

declare module '@20minutes/s3rver' {
  export interface S3Context {
    readonly method: string
    readonly url: string
    readonly path: string
    readonly query: Readonly<Record<string, string | undefined>>
    params: Readonly<Record<string, string>>
    status: number
    body: unknown
  }

  type Middleware = (context: S3Context, next: () => Promise<unknown>) => Promise<unknown>

  // biome-ignore lint/style/noDefaultExport: as the library does
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    readonly middleware: Middleware[]
    readonly store: {
      getBucketPath(bucket: string): string
      getResourcePath(bucket: string, key: string | undefined, resource: string): string
      putObjectMultipart(
        bucket: string,
        id: string,
        parts: readonly { readonly number: number }[],
      ): Promise<{ readonly md5: string; readonly size: number }>
    }
    run(): Promise<{ readonly port: number }>
  }
}

declare module '@20minutes/s3rver/lib/middleware/authentication' {
  import type { S3Context } from '@20minutes/s3rver'

  // biome-ignore lint/style/noDefaultExport: as the library does
  export default function authentication(): (
    context: S3Context,
    next: () => Promise<unknown>,
  ) => Promise<unknown>
}

declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  export function decrypt(
    message: Buffer,
    how: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
  ): Buffer
}

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: as the library does
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
