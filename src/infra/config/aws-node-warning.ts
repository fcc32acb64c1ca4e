/**
 * Disables the warning of the AWS SDK about versions of Node.js that it will not support any more. It is plain text, and would stand among
 * the JSON lines of the log.
 */
export function disableAwsNodeWarning(environment: NodeJS.ProcessEnv = process.env): void {
  environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
}
