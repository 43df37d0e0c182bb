import { jsonHeaders } from '../http/errors'
import type { Route } from '../http/route'
import { scopeNames } from './scope'
import { grants } from './token'

/** GET /.well-known/oauth-authorization-server (RFC 8414): nothing but what works. Links start with the base URL (D2). */
export const metadata: Route = {
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  answer: ({ deps }) =>
    Response.json(metadataOf(deps.config.baseUrl), {
      headers: { ...jsonHeaders, 'Cache-Control': 'public, max-age=3600' },
    }),
}

const metadataOf = (issuer: string) => ({
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
  scopes_supported: scopeNames,
  authorization_response_iss_parameter_supported: true,
})

const withSecret = ['client_secret_basic', 'client_secret_post']
