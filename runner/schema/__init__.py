"""The published reference: JSON Schemas and an AsyncAPI document, made from the structs."""
