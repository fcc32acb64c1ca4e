import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, IsUrl, Max, Min, MinLength } from 'class-validator';
import { Variable } from '../variable';

/** Prometheus metrics. Disabled when neither variable is set. */
export class MetricsConfig {
  @Variable('METRICS_PORT', {
    describe:
      'Separate port for GET /metrics (Prometheus), in every role. Do not expose it to the internet. Default: none.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65535)
  port?: number;

  @Variable('METRICS_TOKEN', {
    secret: true,
    describe:
      'Bearer token of at least 16 characters that GET /metrics requires. Without METRICS_PORT, metrics are served on PORT.',
  })
  @IsOptional()
  @IsString()
  @MinLength(16)
  token: string | undefined;
}

/** Tracing, configured by the standard variables of OpenTelemetry. Its SDK reads more of them than are listed here. */
export class TracingConfig {
  @Variable('OTEL_EXPORTER_OTLP_ENDPOINT', {
    describe:
      'URL of the OTLP collector, without /v1/traces. Default: no traces. Other standard variables also apply, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and OTEL_RESOURCE_ATTRIBUTES.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  endpoint: string | undefined;

  @Variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    describe: 'Full URL of the OTLP collector for traces, including the path. Overrides OTEL_EXPORTER_OTLP_ENDPOINT.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  tracesEndpoint: string | undefined;

  @Variable('OTEL_EXPORTER_OTLP_PROTOCOL', {
    default: 'http/protobuf',
    describe: 'Protocol of the collector: "http/protobuf" or "http/json".',
  })
  @IsIn(['http/protobuf', 'http/json'])
  protocol: 'http/protobuf' | 'http/json';

  @Variable('OTEL_SERVICE_NAME', { default: 'agate', describe: 'Name of the service in traces.' })
  @IsString()
  serviceName: string;

  @Variable('OTEL_TRACES_EXPORTER', { default: 'otlp', describe: '"none" disables traces.' })
  @IsIn(['otlp', 'none'])
  exporter: 'otlp' | 'none';

  @Variable('OTEL_SDK_DISABLED', { default: 'false', describe: '"true" disables traces.' })
  @Transform(({ value }) => String(value).toLowerCase() === 'true')
  @IsBoolean()
  isDisabled: boolean;

  /** Whether traces are exported. */
  get isOn(): boolean {
    const somewhere = this.endpoint !== undefined || this.tracesEndpoint !== undefined;
    return somewhere && this.exporter !== 'none' && !this.isDisabled;
  }
}
