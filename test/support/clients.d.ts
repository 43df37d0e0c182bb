// What the tests use of client libraries that come without types.

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
