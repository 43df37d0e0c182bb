import manifest from '../../package.json'

/** Bun and the packages in the executable, in CycloneDX 1.6 (JSON). Contains no times or serial numbers. */
export async function billOfMaterials(packages: readonly string[]): Promise<string> {
  const locked = await lockedPackages()
  const components = await Promise.all(packages.map((name) => componentOf(name, locked.get(name))))
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': ref,
        type: 'application',
        ...identityOf('kiroku', manifest.version, manifest.license),
      },
    },
    components: [
      { 'bom-ref': 'bun', type: 'platform', ...identityOf('bun', Bun.version, 'MIT') },
      ...components,
    ],
    dependencies: [{ ref, dependsOn: ['bun', ...components.map((component) => component['bom-ref'])] }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

const ref = `kiroku@${manifest.version}`

const identityOf = (name: string, version: string, license: string) => ({
  name,
  version,
  licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
})

/** `integrity` as in the lock file: `sha512-` and base64. */
interface LockedPackage {
  readonly version: string
  readonly integrity: string
}

async function componentOf(name: string, locked: LockedPackage | undefined) {
  if (locked === undefined) throw new Error(`bun.lock has no ${name}`)
  const { version, integrity } = locked
  const { license } = await Bun.file(`node_modules/${name}/package.json`).json()
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  return {
    'bom-ref': purl,
    type: 'library',
    ...identityOf(name, version, license),
    hashes: [{ alg: 'SHA-512', content }],
    purl,
  }
}

/** From the lines of `bun.lock`: `"NAME": ["NAME@VERSION", …, "sha512-…"]`. */
async function lockedPackages(): Promise<ReadonlyMap<string, LockedPackage>> {
  const lines = (await Bun.file('bun.lock').text()).matchAll(
    /^ {4}"([^"]+)": \["\1@([^"]+)".*"(sha512-[^"]+)"\],?$/gm,
  )
  return new Map(
    [...lines].map(([, name = '', version = '', integrity = '']) => [name, { version, integrity }]),
  )
}
