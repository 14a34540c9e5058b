"""Observability: metrics, logs, traces, readiness and the checks of `atrium doctor`."""
