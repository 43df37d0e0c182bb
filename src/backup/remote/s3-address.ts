/** `s3://bucket/prefix`; undefined for anything else. The prefix is empty or ends in a slash. */
export function parseS3Address(
  text: string,
): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, path = ''] = pattern.exec(text) ?? []
  if (bucket === undefined || path.split('/').some((part) => /^\.\.?$/.test(part))) return undefined
  const prefix = path.replaceAll(/^\/+|\/+$/g, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

/** Bucket names as S3 allows them; in object names, only characters that never need encoding. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]*){0,20})$/
