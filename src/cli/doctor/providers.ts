import { discover, readKeys } from '../../accounts/provider/discovery'
import { redirectUriOf } from '../../accounts/provider/protocol'
import { ProviderRefusal } from '../../accounts/provider/refusal'
import { internet } from '../../fetching/outside'
import { opensToAll, type Provider } from '../../options/providers'
import { type Diagnosis, note, ok, problem } from './diagnosis'

/** Asks each provider, and says which redirect URI it must know. `baseUrl` is undefined if it is not known. */
export async function examineProviders(
  providers: readonly Provider[],
  baseUrl: string | undefined,
): Promise<readonly Diagnosis[]> {
  const open = opensToAll(providers)
  const asked = await Promise.all(providers.map((provider) => examineProvider(provider, baseUrl)))
  return [...asked.flat(), ...(open === undefined ? [] : [note('providers', open, 'set oidc-groups')])]
}

async function examineProvider(
  provider: Provider,
  baseUrl: string | undefined,
): Promise<readonly Diagnosis[]> {
  const about = `provider ${provider.id}`
  const known = baseUrl === undefined ? [] : [ok(about, `register ${redirectUriOf(baseUrl, provider)} there`)]
  try {
    const deps = { outside: internet, steady: () => performance.now() }
    await discover(deps, provider)
    const { keys } = await readKeys(deps, provider, { isUnknown: false })
    return [ok(about, `${provider.issuer} answers, with ${keys.length} keys`), ...known]
  } catch (cause) {
    if (!(cause instanceof ProviderRefusal)) throw cause
    const remedy = 'the issuer must be exactly what the provider calls itself'
    return [problem(about, 'config', `${provider.issuer}: ${cause.why}`, remedy), ...known]
  }
}
