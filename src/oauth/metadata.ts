import Type, { type Static } from 'typebox'
import { boolean, text } from '../api/schema'
import { jsonHeaders } from '../http/errors'
import { allowFrom } from '../http/rate-limit'
import type { OAuthRoute } from './operation'
import { scopeNames } from './scope'
import { grants } from './token/token'

const link = (description: string, path: string) => text(description, `https://kiroku.example${path}`)
const words = (description: string, example: string) => Type.Array(text(description, example))

const metadataSchema = Type.Object({
  issuer: link('This instance', ''),
  authorization_endpoint: link('The authorization endpoint, where users give consent', '/oauth/authorize'),
  token_endpoint: link('Where tokens are issued', '/oauth/token'),
  device_authorization_endpoint: link('Where devices get codes', '/oauth/device_authorization'),
  revocation_endpoint: link('Where tokens are revoked', '/oauth/revoke'),
  introspection_endpoint: link('Where applications look up their tokens', '/oauth/introspect'),
  service_documentation: link('The documentation of the API', '/docs'),
  response_types_supported: words('Response types of the authorization endpoint', 'code'),
  response_modes_supported: words('Response modes of the authorization endpoint', 'query'),
  grant_types_supported: words('Grant types of the token endpoint', 'authorization_code'),
  token_endpoint_auth_methods_supported: words(
    'How clients authenticate at the token endpoint',
    'client_secret_basic',
  ),
  revocation_endpoint_auth_methods_supported: words(
    'How clients authenticate for revocation',
    'client_secret_basic',
  ),
  introspection_endpoint_auth_methods_supported: words(
    'How clients authenticate for introspection',
    'client_secret_basic',
  ),
  code_challenge_methods_supported: words('PKCE methods', 'S256'),
  scopes_supported: words('The available scopes', 'read'),
  authorization_response_iss_parameter_supported: boolean(
    'Whether every answer names the issuer (iss): only those to applications that ask for it do',
    false,
  ),
})

/** RFC 8414; links start with the base URL (D2). */
export const metadata: OAuthRoute = {
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  operation: {
    summary: 'Extension: metadata of this authorization server (RFC 8414)',
    params: {},
    by: ['anyone'],
    answers: { schema: metadataSchema, errors: {} },
  },
  answer: async ({ deps, limits, context }) => {
    allowFrom(limits?.byFile, context.peer)
    return Response.json(metadataOf(deps.config.baseUrl), {
      headers: { ...jsonHeaders, 'Cache-Control': 'public, max-age=3600' },
    })
  },
}

const metadataOf = (issuer: string): Static<typeof metadataSchema> => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  service_documentation: `${issuer}/docs`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grants.map(({ type }) => type),
  token_endpoint_auth_methods_supported: [...withSecret, 'none'],
  revocation_endpoint_auth_methods_supported: [...withSecret, 'none'],
  introspection_endpoint_auth_methods_supported: withSecret,
  code_challenge_methods_supported: ['S256'],
  scopes_supported: [...scopeNames],
  authorization_response_iss_parameter_supported: false,
})

const withSecret = ['client_secret_basic', 'client_secret_post']
